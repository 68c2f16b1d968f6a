import type { Terminal } from '@bylaw/core/command/output';
import type { Setting } from '@bylaw/core/config';
import { plural } from '@bylaw/core/plural';
import { newPage, padded } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';

/** Every setting in force on a line of its own, with where it comes from. */
export function settingsText(settings: readonly Setting[], file: string | null, rules: number, terminal: Terminal): string {
  const { chalk } = newPage(terminal);
  const widest = Math.max(...settings.map(({ key }) => key.length));
  const lines = settings.map(({ key, value, origin, source }) => {
    const from = origin === 'default' ? 'default' : (source ?? origin);
    return `${chalk.bold(padded(printable(key), widest))}  ${printable(JSON.stringify(value))}  ${chalk.dim(printable(from))}\n`;
  });
  const read = file === null ? 'No bylaw.yaml was found: the defaults apply.' : `${printable(file)} is valid.`;
  return `${lines.join('')}\n${chalk.green(read)} ${plural(rules, 'rule is', 'rules are')} installed.\n`;
}
