import type { Terminal } from '@bylaw/core/command/output';
import { number } from '@bylaw/core/plural';
import { newPage, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { ListedPlugin } from '../plugins/list-plugins.js';

const RULES = '  rules     ';
const COMMANDS = '  commands  ';

/** One block per plugin: what it is called, its version and source, the number of its rules, and its commands. */
export function pluginText(plugins: readonly ListedPlugin[], terminal: Terminal): string {
  if (plugins.length === 0) return 'No plugins installed.\n';
  const page = newPage(terminal);
  return plugins
    .map(({ name, version, source, rules, commands }) => {
      const head = `${page.chalk.bold(printable(name))} ${printable(version)}  ${page.chalk.dim(source)}\n`;
      if (rules === 0 && commands.length === 0) return `${head}  no rules and no commands yet\n`;
      const list = wrapped(page, printable(commands.join(', ') || 'none'), COMMANDS.length, (line) => line, COMMANDS);
      return `${head}${RULES}${rules === 0 ? 'none' : number(rules)}\n${list}`;
    })
    .join('');
}
