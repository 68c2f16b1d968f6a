import type { Terminal } from '@bylaw/core/command/output';
import type { ComplianceMap, Control, Coverage, FrameworkMapping } from '@bylaw/core/compliance';
import { plural } from '@bylaw/core/report';
import { newPage, type Page, padded, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';

/** Lines of rule identifiers longer than this are hard to read. */
const WIDEST = 120;

/** The page that texts about compliance are laid out for. */
export function terminalPage({ width, colour }: Terminal): Page {
  return newPage({ colour, width: Math.min(width, WIDEST) });
}

/** The frameworks with their counts, or if some were asked for, each of their controls with the rules that support it, and those without. */
export function complianceText({ frameworks, total }: ComplianceMap, withControls: boolean, terminal: Terminal): string {
  if (total === 0) return 'None of the installed rules maps to a framework.\n';
  const page = terminalPage(terminal);
  if (withControls) return frameworks.map((framework) => controlsOf(framework, page)).join('\n');
  const widest = Math.max(...frameworks.map(({ id }) => id.length));
  const lines = frameworks.map(
    (framework) =>
      `${page.chalk.bold(padded(printable(framework.id), widest))}  ${printable(framework.title)} ${page.chalk.dim(`(${countsOf(framework)})`)}\n`,
  );
  return `${lines.join('')}\n${plural(total, 'framework')}. \`bylaw compliance --framework NAME\` shows the controls of one.\n`;
}

function countsOf({ coverage }: FrameworkMapping): string {
  return `${mappedOf(coverage)}, ${plural(coverage.rules, 'rule')}`;
}

/** `18 of 130 controls`, or `30 controls` where it is not known how many there are. */
function mappedOf({ controls_mapped: mapped, controls_total: total }: Coverage): string {
  return total === null ? plural(mapped, 'control') : `${mapped} of ${plural(total, 'control')}`;
}

export function mappedSentence(coverage: Coverage): string {
  const { controls_mapped: mapped, controls_total: total, rules } = coverage;
  const unknown = total === null ? ' The total number of controls in the framework is unknown.' : '';
  return `${mappedOf(coverage)} ${mapped === 1 ? 'has' : 'have'} a rule; ${plural(rules, 'rule')} in total.${unknown}`;
}

function controlsOf(framework: FrameworkMapping, page: Page): string {
  const { id, title, controls, uncovered } = framework;
  const lines = controls.map((control) => {
    const aside = control.unlisted ? page.chalk.dim(`  (${UNLISTED})`) : '';
    return `${page.chalk.bold(printable(control.id))}${titleAfter(control)}${aside}\n${wrapped(page, control.rules.join(' '), 2)}`;
  });
  const rest = uncovered.length === 0 ? '' : `\n${page.chalk.bold(`Not covered (${uncovered.length})`)}\n${controlLines(uncovered, page)}`;
  return `${page.chalk.bold(printable(id))}  ${printable(title)}\n${wrapped(page, mappedSentence(framework.coverage), 0)}\n${lines.join('')}${rest}`;
}

/** What `unlisted` means. */
export const UNLISTED = 'cited as a whole, or not a control of this edition';

export function titleAfter({ title }: Control): string {
  return title === undefined ? '' : `  ${printable(title)}`;
}

/** Controls with a title on a line each; then those that do not have one, side by side. */
export function controlLines(controls: readonly Control[], page: Page): string {
  const titled = controls.filter(({ title }) => title !== undefined);
  const bare = controls.filter(({ title }) => title === undefined).map(({ id }) => printable(id));
  const lines = titled.map((control) => wrapped(page, `${printable(control.id)}${titleAfter(control)}`, 2));
  return `${lines.join('')}${bare.length === 0 ? '' : wrapped(page, bare.join('  '), 2)}`;
}
