import type { Terminal } from '@bylaw/core/command/output';
import type { ComplianceMap, FrameworkMapping } from '@bylaw/core/compliance';
import { plural } from '@bylaw/core/report';
import { newPage, type Page, padded, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';

/** Lines of rule identifiers longer than this are hard to read. */
const WIDEST = 120;

/** The frameworks with their counts, or where one was asked for, each of its controls with the rules that support it. */
export function complianceText({ frameworks, total }: ComplianceMap, withControls: boolean, { width, colour }: Terminal): string {
  if (total === 0) return 'No installed rule maps to any framework.\n';
  const page = newPage({ colour, width: Math.min(width, WIDEST) });
  if (withControls) return frameworks.map((framework) => controlsOf(framework, page)).join('\n');
  const widest = Math.max(...frameworks.map(({ id }) => id.length));
  const lines = frameworks.map(({ id, title, coverage }) => {
    const counts = `${plural(coverage.controls_mapped, 'control')}, ${plural(coverage.rules, 'rule')}`;
    return `${page.chalk.bold(padded(printable(id), widest))}  ${printable(title)} ${page.chalk.dim(`(${counts})`)}\n`;
  });
  return `${lines.join('')}\n${plural(total, 'framework')}. \`bylaw compliance --framework NAME\` shows the controls of one.\n`;
}

function controlsOf({ id, title, controls, coverage }: FrameworkMapping, page: Page): string {
  const lines = controls.map((control) => {
    const name = control.title === undefined ? '' : `  ${printable(control.title)}`;
    return `${page.chalk.bold(printable(control.id))}${name}\n${wrapped(page, control.rules.join(' '), 2)}`;
  });
  return `${page.chalk.bold(printable(id))}  ${printable(title)}\n${plural(coverage.controls_mapped, 'control')}, ${plural(coverage.rules, 'rule')}.\n\n${lines.join('')}`;
}
