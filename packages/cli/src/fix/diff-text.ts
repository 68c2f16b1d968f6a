import type { Terminal } from '@bylaw/core/command/output';
import { newPage } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';

/**
 * A diff for a terminal: in colour, and without the control characters that a file may hold. For a pipe or a file it is left as it is, so that
 * it can be applied.
 */
export function diffText(diff: string, isTerminal: boolean, { colour, width }: Terminal): string {
  if (!isTerminal) return diff;
  const { chalk } = newPage({ colour, width });
  return diff
    .split('\n')
    .map((line) => {
      const shown = printable(line);
      if (/^(---|\+\+\+) /.test(line)) return chalk.bold(shown);
      if (line.startsWith('@@')) return chalk.cyan(shown);
      return line.startsWith('+') ? chalk.green(shown) : line.startsWith('-') ? chalk.red(shown) : shown;
    })
    .join('\n');
}
