import { plural } from '@bylaw/core/plural';
import type { Check } from '../../store/index.js';

/** What `store doctor` prints: a line for each thing that was looked at, and below it all that is wrong with it. */
export function doctorText(path: string, checks: readonly Check[]): string {
  const wrong = checks.filter(({ ok }) => !ok).length;
  const end = wrong === 0 ? 'All checks passed.' : `${wrong} of ${plural(checks.length, 'check')} failed.`;
  return `${path}\n\n${checks.map(linesOf).join('')}\n${end}\n`;
}

function linesOf({ name, ok, message, faults }: Check): string {
  const line = (text: string) => `${' '.repeat(21)}${text}\n`;
  const said = ok ? message : (faults[0] ?? message);
  return `  ${ok ? 'ok    ' : 'failed'} ${name.padEnd(12)}${said}\n${faults.slice(1).map(line).join('')}`;
}
