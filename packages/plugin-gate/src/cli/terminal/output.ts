export { print, printJson } from '@bylaw/core/command/output';

/** A line on stderr, for people. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
