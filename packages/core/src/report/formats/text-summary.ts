import { CORE_ERRORS, type InputError } from '../../errors.js';
import type { Score, Summary } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { printable, shorten } from '../../printable.js';
import { CATEGORIES, SEVERITIES } from '../../rule/index.js';
import { type Digest, suppressionsByCount } from '../digest.js';
import { exceptionTexts } from '../exception-text.js';
import { gradeStyle, heading, type Page, padded, severityStyle, wrapped } from '../page.js';
import type { RunEnd } from '../reporter.js';
import { type Outcome, type Threshold, verdictOf } from '../verdict.js';
import { number, placeOf, plural, scoreNotes, scoreScope, scoreText, uncheckedCount, uncheckedText } from '../wording.js';

const MAX_LISTED_ERRORS = 50;
const MAX_LISTED_SUPPRESSIONS = 20;
const MAX_MESSAGE = 1_000;
const BAR = 24;

/** What could not be read or evaluated, each with its place and how to fix it. */
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

/** Why checks could not be decided, one line for each reason. */
export function undecidedSection(page: Page, { undecided }: Summary, notes: readonly Note[]): string {
  if (undecided === undefined) return '';
  const lines = undecided.reasons.map(({ message, count }) => {
    const head = `  ${number(count).padStart(6)}  `;
    return wrapped(page, shorten(printable(message), MAX_MESSAGE), head.length, undefined, head);
  });
  const claimed = notes.some(({ code }) => code === 'input-not-complete');
  const outside = !claimed && undecided.reasons.some(({ reason }) => reason === 'outside-input');
  return (
    heading(page, `Undecided (${number(undecided.checks)})`) +
    lines.join('') +
    andMore(page, undecided.more_reasons, 'reason') +
    (outside ? wrapped(page, COMPLETE_HINT, 10, page.chalk.dim) : '')
  );
}

const COMPLETE_HINT =
  'If the input contains everything that is in the cluster, pass --complete: what is not in the input then does not exist.';

/** What was left out without an error. */
export function noteSection(page: Page, notes: readonly Note[]): string {
  if (notes.length === 0) return '';
  return (
    heading(page, 'Notes') +
    notes.map(({ message }) => wrapped(page, shorten(printable(message), MAX_MESSAGE), 4, undefined, '  - ')).join('')
  );
}

/** Where the input came from, what no rule covers, and counts by severity and category. */
export function summarySection(page: Page, digest: Digest, { summary, score, about = [] }: RunEnd): string {
  const unchecked = uncheckedText(summary);
  const clean = summary.findings === 0 && summary.errors === 0 && unchecked === '' && summary.rules > 0;
  const opening =
    heading(page, 'Summary') +
    about.map((sentence) => wrapped(page, printable(sentence), 2)).join('') +
    wrapped(page, sentence(summary, digest.consequences.total()), 2, clean ? page.chalk.green : undefined) +
    (unchecked === '' ? '' : wrapped(page, unchecked, 2, page.chalk.yellow)) +
    exceptionTexts(summary)
      .map((text) => wrapped(page, text, 2, page.chalk.yellow))
      .join('');
  if (summary.findings === 0) return opening;
  return `${opening}\n${severityTable(page, summary)}\n${categoryTable(page, summary, score)}`;
}

/** How many findings the command could fix. */
export function fixSection(page: Page, { safe, unsafe }: { safe: number; unsafe: number }): string {
  const parts = [
    safe > 0 ? `--fix can fix ${plural(safe, 'finding')}` : '',
    unsafe > 0
      ? `--fix-unsafe ${safe > 0 ? `${number(unsafe)} more` : `can fix ${plural(unsafe, 'finding')}`}, to be tested afterwards`
      : '',
  ].filter(Boolean);
  return parts.length === 0 ? '' : `\n${wrapped(page, `${parts.join('; ')}.`, 2)}`;
}

export function scoreSection(page: Page, { score, summary }: RunEnd): string {
  const { overall, grade } = score;
  const style = gradeStyle(page, grade);
  const notes = scoreNotes(score, summary);
  const lines = notes.length === 0 ? '' : wrapped(page, notes.join('; '), 9, page.chalk.dim);
  if (overall === null) return `\n  ${page.chalk.bold('Score')}  ${page.chalk.dim('none')}\n${lines}`;
  const scope = scoreScope(summary);
  const value = `${style(scoreText(overall))}${grade === null ? '' : ` of 100, grade ${style(grade)}`}${grade === null || scope === '' ? '' : ','}${scope}`;
  return `\n${wrapped(page, value, 9, undefined, `  ${page.chalk.bold('Score')}  `)}${lines}`;
}

/** The last line of the page, because the end is what a terminal shows. */
export function verdictSection(page: Page, { summary }: RunEnd, threshold: Threshold = 'HIGH'): string {
  const { outcome, word, why } = verdictOf(summary, threshold);
  return `\n${wrapped(page, why, word.length + 4, undefined, `  ${OUTCOME_STYLES[outcome](page)(word)}  `)}`;
}

const OUTCOME_STYLES: { readonly [outcome in Outcome]: (page: Page) => (text: string) => string } = {
  pass: ({ chalk }) => chalk.bold.green,
  fail: ({ chalk }) => chalk.bold.red,
  incomplete: ({ chalk }) => chalk.bold.magenta,
  'not-checked': ({ chalk }) => chalk.bold.yellow,
};

function sentence(summary: Summary, consequences: number): string {
  const { resources, rules, findings, suppressed, errors } = summary;
  const asides = [
    consequences > 0 ? `${number(consequences)} shown with ${consequences === 1 ? 'its' : 'their'} cause` : '',
    suppressed > 0 ? `${number(suppressed)} suppressed` : '',
    errors > 0 ? plural(errors, 'error') : '',
  ];
  const also = asides.filter(Boolean).join(', ');
  const end = also === '' ? '.' : `; ${also}.`;
  if (resources === 0) return `No resource was read${end}`;
  const found = findings === 0 ? 'No findings' : plural(findings, 'finding');
  const unchecked = uncheckedCount(summary);
  const scope =
    unchecked === 0 ? ` in ${plural(resources, 'resource')},` : `; ${number(resources - unchecked)} of ${plural(resources, 'resource')}`;
  return `${found}${scope} checked by ${plural(rules, 'rule')}${end}`;
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

function andMore(page: Page, count: number, what: string): string {
  return count <= 0 ? '' : wrapped(page, `and ${plural(count, `more ${what}`)}`, 2, page.chalk.dim);
}
