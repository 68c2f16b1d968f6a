/** Plain JavaScript, as all that runs before the program. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Prints the version, as the command `version` does, if the command line asks for nothing else: the program need not be loaded for it.
 * @param {readonly string[]} words of the command line
 * @returns {boolean} whether it was
 */
export function printedVersion(words) {
  if (words.length !== 1 || !['--version', '-v'].includes(words[0])) return false;
  const { name, version } = require('../package.json');
  console.log(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`);
  return true;
}
