import { CORE_ERRORS, type InputError } from '../errors.js';
import type { Score, Summary } from '../evaluate/index.js';
import { printable, shorten } from '../printable.js';
import { CATEGORIES, SEVERITIES } from '../rule/index.js';
import { type Digest, rulesByCount, suppressionsByCount } from './digest.js';
import { gradeStyle, heading, type Page, padded, severityStyle, wrapped } from './page.js';
import type { RunEnd } from './reporter.js';
import { number, placeOf, plural, scoreNotes, scoreText } from './wording.js';

const MAX_LISTED_ERRORS = 50;
const MAX_LISTED_SUPPRESSIONS = 20;
const MAX_MESSAGE = 1_000;
const TOP_RULES = 10;
/** Columns of a row of the rule table beside its count and its title. */
const RULE_COLUMNS = 23;
const BAR = 24;

/** What could not be read or judged, each with its place and how to mend it. */
export function errorSection(page: Page, errors: readonly InputError[], all: boolean): string {
  if (errors.length === 0) return '';
  const shown = all ? errors : errors.slice(0, MAX_LISTED_ERRORS);
  const list = shown.map((error) => {
    const place = error.location === null ? (CORE_ERRORS[error.code]?.summary ?? error.code) : placeOf(error.location);
    return `${wrapped(page, place, 2, page.chalk.bold)}${wrapped(page, `${shorten(printable(error.message), MAX_MESSAGE)} (${error.code})`, 4)}`;
  });
  return (
    heading(page, page.chalk.magenta(`Errors (${number(errors.length)})`)) +
    list.join('') +
    andMore(page, errors.length - shown.length, 'error')
  );
}

/** What exceptions cover, and why. */
export function suppressedSection(page: Page, digest: Digest, suppressed: number, all: boolean): string {
  if (suppressed === 0) return '';
  const groups = suppressionsByCount(digest);
  const shown = all ? groups : groups.slice(0, MAX_LISTED_SUPPRESSIONS);
  const list = shown.map((group) => {
    const until = group.expires === undefined ? '' : `, until ${printable(group.expires)}`;
    const head = `  ${number(group.findings).padStart(6)}  ${padded(printable(group.rule_id), 7)}  `;
    return wrapped(page, `${shorten(printable(group.reason), MAX_MESSAGE)} (${group.source}${until})`, head.length, page.chalk.dim, head);
  });
  const rest = suppressed - shown.reduce((sum, group) => sum + group.findings, 0);
  return heading(page, `Suppressed (${number(suppressed)})`) + list.join('') + andMore(page, rest, 'suppressed finding');
}

/** Where the input came from, and counts by severity, category and rule. */
export function summarySection(page: Page, digest: Digest, { summary, score, about = [] }: RunEnd): string {
  const opening =
    heading(page, 'Summary') +
    about.map((sentence) => wrapped(page, printable(sentence), 2)).join('') +
    wrapped(page, sentence(summary), 2, summary.findings === 0 && summary.errors === 0 ? page.chalk.green : undefined);
  if (summary.findings === 0) return opening;
  return `${opening}\n${severityTable(page, summary)}\n${categoryTable(page, summary, score)}${ruleTable(page, digest)}`;
}

/** How many findings the command could mend. */
export function fixSection(page: Page, fixable: number): string {
  if (fixable === 0) return '';
  return `\n${wrapped(page, `${plural(fixable, 'finding has', 'findings have')} a fix that --fix makes where it is safe.`, 2)}`;
}

/** The last lines of the page, because the end is what a terminal shows. */
export function scoreSection(page: Page, score: Score): string {
  const style = gradeStyle(page, score.grade);
  const value =
    score.overall === null ? page.chalk.dim('none') : `${style(scoreText(score.overall))} of 100, grade ${style(score.grade ?? '–')}`;
  const notes = scoreNotes(score);
  return `\n  ${page.chalk.bold('Score')}  ${value}\n${notes.length === 0 ? '' : wrapped(page, notes.join('; '), 9, page.chalk.dim)}`;
}

function sentence({ resources, rules, findings, suppressed, errors }: Summary): string {
  const asides = [suppressed > 0 ? `${number(suppressed)} suppressed` : '', errors > 0 ? plural(errors, 'error') : '']
    .filter(Boolean)
    .join(', ');
  const also = asides === '' ? '.' : `; ${asides}.`;
  if (resources === 0) return `No resource was judged${also}`;
  return `${findings === 0 ? 'No findings' : plural(findings, 'finding')} in ${plural(resources, 'resource')}, judged by ${plural(rules, 'rule')}${also}`;
}

function severityTable(page: Page, { by_severity }: Summary): string {
  const most = Math.max(1, ...SEVERITIES.map((severity) => by_severity[severity]));
  const digits = number(most).length;
  return SEVERITIES.map((severity) => {
    const count = by_severity[severity];
    const style = severityStyle(page, severity);
    const bar = count === 0 ? '' : `  ${style('━'.repeat(Math.max(1, Math.round((count / most) * BAR))))}`;
    return `  ${style(padded(severity, 8))}  ${number(count).padStart(digits)}${bar}\n`;
  }).join('');
}

function categoryTable(page: Page, { by_category }: Summary, score: Score): string {
  const rows = Object.entries(by_category).map(([code, count]) => ({
    name: `${padded(code, 4)} ${Object.hasOwn(CATEGORIES, code) ? CATEGORIES[code as keyof typeof CATEGORIES] : ''}`.trimEnd(), // hasOwn has just said so
    findings: number(count),
    score: scoreText(Object.hasOwn(score.by_category, code) ? (score.by_category[code] ?? null) : null),
  }));
  const width = Math.max(8, ...rows.map((row) => row.name.length));
  const head = page.chalk.dim(`${padded('Category', width)}  Findings  Score`);
  return `  ${head}\n${rows.map((row) => `  ${padded(row.name, width)}  ${row.findings.padStart(8)}  ${row.score.padStart(5)}\n`).join('')}`;
}

function ruleTable(page: Page, digest: Digest): string {
  const rules = rulesByCount(digest).filter((rule) => rule.findings > 0);
  const top = rules.slice(0, TOP_RULES);
  const digits = Math.max(8, ...top.map((rule) => number(rule.findings).length));
  const rows = top.map((rule) => {
    const head = `  ${number(rule.findings).padStart(digits)}  ${severityStyle(page, rule.severity)(padded(rule.severity, 8))}  ${padded(printable(rule.rule_id), 7)}  `;
    return `${head}${shorten(printable(rule.title), page.width - digits - RULE_COLUMNS)}\n`;
  });
  const which = rules.length > TOP_RULES ? `the ${TOP_RULES} most frequent of ${number(rules.length)} rules` : 'by rule';
  return `\n  ${page.chalk.dim(`${'Findings'.padStart(digits)}  ${which}`)}\n${rows.join('')}`;
}

function andMore(page: Page, count: number, what: string): string {
  return count <= 0 ? '' : wrapped(page, `and ${plural(count, `more ${what}`)}`, 2, page.chalk.dim);
}
