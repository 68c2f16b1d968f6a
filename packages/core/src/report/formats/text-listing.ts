import type { Finding } from '../../evaluate/index.js';
import { printable, shorten } from '../../printable.js';
import { SEVERITIES, type Severity } from '../../rule/index.js';
import type { Digest, RuleDigest } from '../digest.js';
import { type Page, padded, severityStyle, wrapped } from '../page.js';
import { fileOf, NO_FILE, number, placeOf, plural, resourceName } from '../wording.js';

/** Findings of medium severity up to this number are listed in full; of more, the first of each rule stand for the rest. */
const SMALL_RUN = 100;

/** As many findings of each severity are kept to be listed, and of each rule. */
export const LISTED = { most: 10_000, firstPerRule: 5 };

/**
 * The findings of a run, the most severe first, then by file and resource. CRITICAL and HIGH are listed in full, MEDIUM too while there are few, LOW
 * by rule; INFO is only counted. With `all` everything is listed.
 */
export function findingSections(page: Page, digest: Digest, all: boolean): string[] {
  const together = digest.consequences.of(SEVERITIES.flatMap((severity) => digest.listed[severity]));
  return SEVERITIES.flatMap((severity) => {
    const total = digest.totals[severity];
    if (total === 0) return [];
    if (!all && severity === 'INFO') return [hiddenNote(page, total)];
    if (!all && severity === 'LOW') return [severityHeading(page, severity, total), ruleLines(page, digest)];
    const few = all || severity === 'CRITICAL' || severity === 'HIGH' || total <= SMALL_RUN;
    const listed = few ? digest.listed[severity] : firstOfEachRule(digest, severity);
    const rest = few
      ? more(page, total - listed.length, `--format json lists every finding.`)
      : more(page, total - listed.length, `The first ${LISTED.firstPerRule} of each rule are listed; --verbose lists all.`);
    return [severityHeading(page, severity, total), ...listed.map(entries(page, together)), rest];
  });
}

/** Rules that could not be evaluated on a resource, by file and resource. */
export function failureSection(page: Page, { failures, moreFailures }: Digest): string[] {
  if (failures.length === 0) return [];
  const what = `${plural(failures.length + moreFailures, 'rule')} could not be evaluated on a resource`;
  const heading = `\n${wrapped(page, what, 15, undefined, `${page.chalk.bold.magenta('NOT EVALUATED')}  `)}`;
  return [heading, ...failures.map(entries(page, new Map())), more(page, moreFailures, '--format json lists every one.')];
}

function severityHeading(page: Page, severity: Severity, total: number): string {
  return `\n${page.chalk.bold(severityStyle(page, severity)(severity))}  ${plural(total, 'finding')}\n`;
}

function hiddenNote(page: Page, total: number): string {
  const what = plural(total, 'informational finding is hidden', 'informational findings are hidden');
  return `\n${wrapped(page, `${what}; --verbose shows ${total === 1 ? 'it' : 'them'}.`, 0, page.chalk.dim)}`;
}

function more(page: Page, count: number, how: string): string {
  return count <= 0 ? '' : `\n${wrapped(page, `${plural(count, 'more finding')} not listed. ${how}`, 2, page.chalk.dim)}`;
}

function firstOfEachRule(digest: Digest, severity: Severity): Finding[] {
  return [...digest.rules.values()]
    .filter((rule) => rule.severity === severity)
    .flatMap(({ first }) => first)
    .sort((a, b) => a.number - b.number)
    .map(({ finding }) => finding);
}

/** One line for each rule of low severity: how often, and where first. */
function ruleLines(page: Page, digest: Digest): string {
  const rules = [...digest.rules.values()]
    .filter((rule): rule is RuleDigest => rule.severity === 'LOW' && rule.findings > 0)
    .sort((a, b) => b.findings - a.findings || (a.rule_id < b.rule_id ? -1 : 1));
  const digits = Math.max(4, ...rules.map(({ findings }) => number(findings).length));
  const lines = rules.map(({ rule_id, findings, title, first }) => {
    const head = `    ${padded(printable(rule_id), 7)}  ${number(findings).padStart(digits)}×  `;
    const [example] = first;
    const place = example === undefined ? '' : page.chalk.dim(` (${whereText(example.finding)})`);
    return wrapped(page, `${printable(title)}${place}`, head.length, undefined, head);
  });
  const head = page.chalk.dim(
    `    ${padded('Rule', 7)}  ${'Times'.padStart(digits + 1)}  Requirement, and the first place that does not meet it`,
  );
  return `\n${head}\n${lines.join('')}${wrapped(page, '--verbose lists each finding with its fix.', 4, page.chalk.dim)}`;
}

function whereText({ location, resource }: Finding): string {
  return location === null ? resourceName(resource) : placeOf(location);
}

const RESOURCE_INDENT = 2;
const INDENT = 4;
/** Columns before the message: indent and identifier, two apart, and the place if there is one. */
const HEAD_COLUMNS = INDENT + 7 + 2;
const PLACE_COLUMNS = 7 + 2;
/** If the message would get fewer columns than this, it starts on a line of its own. */
const MIN_MESSAGE = 36;
/** A message quotes the input, which may hold a megabyte in one string. */
const MAX_MESSAGE = 1_000;

/**
 * Writes one finding after another, with a heading whenever the file or the resource changes, and the fix where a rule is met first in a file. Resources
 * without a file get a heading of their own only after those of a file.
 */
function entries(page: Page, together: ReadonlyMap<Finding, readonly string[]>): (finding: Finding) => string {
  let explained = new Set<string>();
  let file: string | undefined;
  let resource: string | undefined;

  return (finding) => {
    let text = '';
    const nextFile = finding.location !== null ? fileOf(finding.location) : file === undefined ? undefined : NO_FILE;
    if (nextFile !== undefined && nextFile !== file) {
      text += `\n${page.chalk.bold.underline(nextFile)}\n`;
      file = nextFile;
      resource = undefined;
      explained = new Set();
    }
    const nextResource = resourceName(finding.resource);
    if (nextResource !== resource) {
      text += `\n${wrapped(page, nextResource, RESOURCE_INDENT, page.chalk.bold)}`;
      resource = nextResource;
    }
    text += findingLine(page, finding);
    if (finding.status === 'fail' && !explained.has(finding.rule_id)) {
      explained.add(finding.rule_id);
      text += aside(page, finding, `fix: ${printable(finding.fix)}`);
    }
    const others = together.get(finding);
    return others === undefined ? text : text + aside(page, finding, `same cause: ${others.map(printable).join(', ')}`);
  };
}

function aside(page: Page, finding: Finding, what: string): string {
  return wrapped(page, what, messageIndent(page, finding), page.chalk.dim);
}

function findingLine(page: Page, finding: Finding): string {
  const place = placeInFile(finding);
  const style = finding.status === 'error' ? page.chalk.magenta : severityStyle(page, finding.severity);
  const head = `${' '.repeat(INDENT)}${style(padded(printable(finding.rule_id), 7))}`;
  const message = shorten(printable(finding.message), MAX_MESSAGE);
  const indent = messageIndent(page, finding);
  if (indent < HEAD_COLUMNS) return `${head}${place === '' ? '' : `  ${page.chalk.dim(place)}`}\n${wrapped(page, message, indent)}`;
  return wrapped(page, message, indent, undefined, `${head}  ${place === '' ? '' : `${page.chalk.dim(padded(place, 7))}  `}`);
}

function messageIndent(page: Page, finding: Finding): number {
  const column = HEAD_COLUMNS + (placeInFile(finding) === '' ? 0 : PLACE_COLUMNS);
  return page.width - column >= MIN_MESSAGE ? column : INDENT + 2;
}

/** Line and column, if the file has them. */
function placeInFile({ location }: Finding): string {
  return location === null || location.rendered_from !== undefined ? '' : `${location.line}:${location.column}`;
}
