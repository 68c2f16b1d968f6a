/**
 * A command as a POSIX shell would read it, for policies and people. Different commands have different texts.
 * Words of harmless characters stay as they are; all others are in single quotes.
 */
export function shellText(argv: readonly string[]): string {
  return argv.map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
