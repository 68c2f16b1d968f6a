#!/usr/bin/env node
/** The command from a source checkout: builds what has changed, then runs it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNode, isNodeNewEnough, runUnder } from '../packages/cli/bin/launcher.js';

if (!existsSync(new URL('../node_modules/typescript/package.json', import.meta.url))) {
  console.error('The dependencies are not installed. Run `npm ci` in the root folder of the repository first.');
  process.exitCode = 2;
} else if (isNodeNewEnough()) {
  const { build } = await import('../scripts/build.js');
  if (await build()) await import('../packages/cli/bin/run.js');
  else process.exitCode = 2;
} else {
  runUnder(findNode(), ['node', fileURLToPath(import.meta.url), ...process.argv.slice(2)], { tied: true });
}
