import type { Terminal } from '@bylaw/core/command/output';
import { newPage, type Page, padded, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { RuleExample, RuleLogic } from '@bylaw/core/rule';
import { dump } from 'js-yaml';
import type { RuleDocument } from '../rules/rule-document.js';

/** Lines of prose longer than this are hard to read. */
const PROSE = 100;

/** One rule in full, for its reader: what it checks and why, its logic as it is evaluated, and the examples that its tests run. */
export function ruleText(rule: RuleDocument, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, PROSE) });
  const { bold } = page.chalk;
  return [
    `${bold(rule.id)}  ${severityStyle(page, rule.severity)(rule.severity)}  ${bold(printable(rule.title))}\n`,
    wrapped(page, printable(rule.description), 0),
    section(page, 'Fix', wrapped(page, printable(rule.fix), 2) + editLine(rule, page)),
    ...rule.logic.map((logic, index) => section(page, rule.logic.length > 1 ? `Logic ${index + 1}` : 'Logic', logicLines(logic, page))),
    section(page, 'Settings in bylaw.yaml', settingLines(rule, page)),
    section(page, 'Frameworks', listLines(rule.frameworks)),
    section(page, 'Similar checks in other tools', listLines(rule.peers)),
    section(page, 'References', listLines(rule.references)),
    ...rule.examples.map((example) => section(page, exampleHeading(example), exampleLines(example))),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function section(page: Page, heading: string, lines: string): string {
  return lines === '' ? '' : `${page.chalk.bold(heading)}\n${lines}`;
}

/** Whether `evaluate --fix` can do it, or `--fix-unsafe`, and then what to test. */
function editLine({ logic }: RuleDocument, page: Page): string {
  const edits = logic.flatMap(({ edit }) => edit ?? []);
  if (edits.length === 0) return '';
  const limited = edits.length < logic.length || edits.some(({ when }) => when !== undefined);
  const flag = edits.every(({ test_after }) => test_after !== undefined) ? '--fix-unsafe' : '--fix';
  const tests = [...new Set(edits.flatMap(({ test_after }) => test_after ?? []))];
  return (
    wrapped(page, `\`bylaw evaluate ${flag}\` applies this fix${limited ? ' where possible' : ''}.`, 2, page.chalk.green) +
    tests.map((test) => wrapped(page, printable(test), 2)).join('')
  );
}

function logicLines({ targets, each, when, expression, path, line, message, caused_by: causes = [], edit }: RuleLogic, page: Page): string {
  const parts: [string, string | undefined][] = [
    ['targets', targets.join(', ')],
    ...[each ?? []].flat().map((list): [string, string] => ['each', list]),
    ['when', when],
    ['passes if', expression],
    ['path', path],
    ['line', line],
    ['message', message],
    ...causes.flatMap(({ rules, when: condition }): [string, string | undefined][] => [
      ['caused by', rules.join(', ')],
      ['  when', condition],
    ]),
    ['safe to fix', edit?.when],
    ...Object.entries(edit?.set ?? {}).map(([at, value]): [string, string] => ['fix sets', `${at} ${JSON.stringify(value)}`]),
    ...Object.entries(edit?.add ?? {}).map(([at, values]): [string, string] => ['fix adds', `${at} ${JSON.stringify(values)}`]),
    ...(edit?.remove ?? []).map((at): [string, string] => ['fix removes', at || 'the item']),
  ];
  return parts
    .flatMap(([label, text]) =>
      (text ?? '')
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line, index) => ({ label: index === 0 ? label : '', line })),
    )
    .map(({ label, line }) => `  ${page.chalk.dim(padded(label, 13))}${printable(line)}\n`)
    .join('');
}

function settingLines({ config, pack }: RuleDocument, page: Page): string {
  return Object.entries(config)
    .map(
      ([name, setting]) =>
        `  packs.${pack}.${name}\n${wrapped(page, printable(setting.description), 4)}    default: ${printable(JSON.stringify(setting.default))}\n`,
    )
    .join('');
}

function listLines(items: readonly string[]): string {
  return items.map((item) => `  ${printable(item)}\n`).join('');
}

function exampleHeading({ fail, pass, undecided, note }: RuleExample): string {
  const outcome = fail ? 'fails' : pass ? 'passes' : undecided ? 'is undecided' : 'is skipped';
  return `Example that ${outcome}${note === undefined ? '' : ` – ${printable(note)}`}`;
}

function exampleLines(example: RuleExample): string {
  const objects = [example.fail ?? example.pass ?? example.skip ?? example.undecided ?? []].flat();
  const yaml = objects.map((object) => dump(object, { lineWidth: -1 })).join('---\n');
  return listLines(yaml.trimEnd().split('\n'));
}
