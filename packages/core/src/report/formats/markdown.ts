import type { InputError } from '../../errors.js';
import type { Finding, Summary } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { SEVERITIES, type Severity } from '../../rule/index.js';
import { addToDigest, type Digest, newDigest, type RuleDigest, rulesBySeverity, suppressionsByCount } from '../digest.js';
import { exceptionTexts } from '../exception-text.js';
import { eachBatch, type Reporter, type RunEnd } from '../reporter.js';
import { verdictOf } from '../verdict.js';
import {
  fileOf,
  NO_FILE,
  number,
  placeOf,
  plural,
  resourceName,
  scoreNotes,
  scoreScope,
  scoreText,
  uncheckedText,
  undecidedText,
} from '../wording.js';
import { codeSpan, htmlText, markdownText } from './markdown-text.js';

/** A comment of GitHub holds 65,536 characters; a caller may want to put some words around the report. */
const MAX_LENGTH = 60_000;
/** Kept free for the headings of the blocks, and for how much of each is left out. */
const RESERVE = 1_500;

/** More rows than this cannot fit. */
const LISTED = 1_000;
/** Room for the rows of errors, of notes and of suppressed findings, in characters. */
const ERROR_ROOM = 12_000;
const NOTE_ROOM = 4_000;
const SUPPRESSED_ROOM = 8_000;

/** Severities whose findings are listed one by one; those of the others are counted by rule. */
const DETAILED: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM'];

/**
 * The run for a comment on a change, or a step summary: verdict, counts, what could not be read, then the findings, the most severe first and by file,
 * and a line for each rule of low severity, until 60,000 characters are full. GitHub and GitLab flavour.
 */
export const markdown: Reporter = async (events, out, { threshold = 'HIGH' }) => {
  const digest = newDigest({ firstPerRule: 1, listed: { CRITICAL: LISTED, HIGH: LISTED, MEDIUM: LISTED, LOW: 0, INFO: 0 } });
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
  });
  const { word, why } = verdictOf(end.summary, threshold);
  const head = [title(end), `**${word}** ${markdownText(why)}\n`, scope(end), countTable(end.summary), errorBlock(end.errors)].join('');
  const tail = suppressedBlock(digest, end.summary.suppressed);
  await out.write(head + findingBlocks(digest, MAX_LENGTH - RESERVE - head.length - tail.length) + tail);
};

function title({ summary: { findings }, score }: RunEnd): string {
  const grade = score.overall === null ? 'no score' : `score ${scoreText(score.overall)}${score.grade === null ? '' : ` (${score.grade})`}`;
  return `## bylaw: ${findings === 0 ? 'no findings' : plural(findings, 'finding')}, ${grade}\n\n`;
}

/** What was read and checked, and what was not. */
function scope({ summary, score, notes, about = [] }: RunEnd): string {
  const remarks = scoreNotes(score, summary);
  const within = scoreScope(summary);
  const scored = within === '' || score.overall === null ? '' : ` Score ${scoreText(score.overall)}${within}.`;
  const read = `${plural(summary.resources, 'resource')} checked by ${plural(summary.rules, 'rule')}.${scored}${remarks.length === 0 ? '' : ` ${capital(remarks.join('; '))}.`}`;
  const unchecked = uncheckedText(summary);
  const undecided = undecidedText(summary);
  return [
    ...about.map(markdownText),
    read,
    ...(unchecked === '' ? [] : [markdownText(unchecked)]),
    ...(undecided === '' ? [] : [markdownText(undecided)]),
    ...exceptionTexts(summary).map(markdownText),
    ...noteLines(notes),
  ]
    .map((paragraph) => `\n${paragraph}\n`)
    .join('');
}

function noteLines(notes: readonly Note[]): string[] {
  const lines = rowsWithin(NOTE_ROOM, notes, ({ message }) => `Note: ${markdownText(message)}`);
  const rest = notes.length - lines.length;
  return rest > 0 ? [...lines, `and ${plural(rest, 'more note')}`] : lines;
}

function countTable({ by_severity, suppressed, errors }: Summary): string {
  const head = [...SEVERITIES.map(word), 'Suppressed', 'Errors'];
  const row = [...SEVERITIES.map((severity) => number(by_severity[severity])), number(suppressed), number(errors)];
  return `\n| ${head.join(' | ')} |\n|${'---:|'.repeat(head.length)}\n| ${row.join(' | ')} |\n`;
}

function errorBlock(errors: readonly InputError[]): string {
  if (errors.length === 0) return '';
  const rows = rowsWithin(
    ERROR_ROOM,
    errors,
    ({ location, message, code }) => `| ${location === null ? '' : codeSpan(placeOf(location))} | ${markdownText(message)} | ${code} |\n`,
  );
  return details(
    `<b>${plural(errors.length, 'error')}</b>: parts of the input were not evaluated`,
    `| Where | What | Code |\n|---|---|---|\n${rows.join('')}${more(errors.length - rows.length)}`,
    true,
  );
}

/** As many findings as fit, and how many do not. */
function findingBlocks(digest: Digest, room: number): string {
  const together = digest.consequences.of(DETAILED.flatMap((severity) => digest.listed[severity]));
  let text = failureBlock(digest, room);
  for (const severity of DETAILED) text += severityBlock(digest, severity, together, room - text.length);
  return text + ruleBlock(digest, room - text.length);
}

/** The findings of a severity, file by file, with the fix where a rule is met first in a file. */
function severityBlock(digest: Digest, severity: Severity, together: ReadonlyMap<Finding, readonly string[]>, room: number): string {
  const total = digest.totals[severity];
  if (total === 0) return '';
  const files = Map.groupBy(digest.listed[severity], ({ location }) => (location === null ? NO_FILE : fileOf(location)));
  let body = '';
  let shown = 0;
  for (const [file, findings] of files) {
    const explained = new Set<string>();
    const heading = files.size === 1 && file === NO_FILE ? '\n' : `\n${codeSpan(file)}\n\n`;
    const head = `${heading}| Line | Resource | Rule | What |\n|---:|---|---|---|\n`;
    const rows = rowsWithin(room - body.length - head.length, findings, (finding) => findingRow(finding, explained, together));
    if (rows.length > 0) body += head + rows.join('');
    shown += rows.length;
    if (rows.length < findings.length) break;
  }
  const heading = `<b>${severity}</b> ${plural(total, 'finding')}`;
  return details(heading, body.trimStart() + more(total - shown), severity !== 'MEDIUM');
}

function findingRow(finding: Finding, explained: Set<string>, together: ReadonlyMap<Finding, readonly string[]>): string {
  const { location, resource, rule_id, message, fix } = finding;
  const line = location === null || location.rendered_from !== undefined ? '' : String(location.line);
  const fixed = explained.has(rule_id) ? '' : `<br>**Fix:** ${markdownText(fix)}`;
  explained.add(rule_id);
  const others = together.get(finding);
  const same = others === undefined ? '' : `<br>Same cause: ${others.map(markdownText).join(', ')}`;
  return `| ${line} | ${codeSpan(resourceName(resource))} | ${markdownText(rule_id)} | ${markdownText(message)}${fixed}${same} |\n`;
}

/** Rules that could not be evaluated on a resource. */
function failureBlock({ failures, moreFailures }: Digest, room: number): string {
  if (failures.length === 0) return '';
  const rows = rowsWithin(
    Math.min(ERROR_ROOM, room),
    failures,
    ({ location, resource, rule_id, message }) =>
      `| ${location === null ? '' : codeSpan(placeOf(location))} | ${codeSpan(resourceName(resource))} | ${markdownText(rule_id)} | ${markdownText(message)} |\n`,
  );
  const total = failures.length + moreFailures;
  return details(
    `<b>${plural(total, 'rule')}</b> could not be evaluated on a resource`,
    `| Where | Resource | Rule | What |\n|---|---|---|---|\n${rows.join('')}${more(total - rows.length)}`,
    true,
  );
}

/** One line for each rule of low severity. */
function ruleBlock(digest: Digest, room: number): string {
  const rules = rulesBySeverity(digest).filter(({ severity, findings }) => findings > 0 && !DETAILED.includes(severity));
  if (rules.length === 0) return '';
  const rows = rowsWithin(room, rules, ruleRow);
  const total = rules.reduce((sum, { findings }) => sum + findings, 0);
  const left = rules.length - rows.length;
  const rest =
    left === 0 ? '' : `\n_${plural(left, 'more rule')} with findings omitted to keep this short; the other formats contain them._\n`;
  return details(
    `<b>LOW</b> and <b>INFO</b> ${plural(total, 'finding')}`,
    `| Findings | Severity | Rule | Requirement | First |\n|---:|---|---|---|---|\n${rows.join('')}${rest}`,
  );
}

function ruleRow({ findings, severity, rule_id, title: of, first }: RuleDigest): string {
  const [example] = first;
  const place = example === undefined ? '' : placeOf(example.finding.location, '') || resourceName(example.finding.resource);
  return `| ${number(findings)} | ${severity} | ${markdownText(rule_id)} | ${htmlText(of).replaceAll('|', '&#124;')} | ${place === '' ? '' : codeSpan(place)} |\n`;
}

function suppressedBlock(digest: Digest, suppressed: number): string {
  if (suppressed === 0) return '';
  const groups = suppressionsByCount(digest);
  const rows = rowsWithin(
    SUPPRESSED_ROOM,
    groups,
    ({ rule_id, findings, reason, source, expires }) =>
      `| ${markdownText(rule_id)} | ${number(findings)} | ${markdownText(reason)} | ${source}${expires === undefined ? '' : ` until ${markdownText(expires)}`} |\n`,
  );
  const shown = groups.slice(0, rows.length).reduce((sum, group) => sum + group.findings, 0);
  return details(
    `${number(suppressed)} suppressed`,
    `| Rule | Findings | Reason | Where |\n|---|---:|---|---|\n${rows.join('')}${more(suppressed - shown)}`,
  );
}

/** The rows of the first items, as many as have room. */
function rowsWithin<T>(room: number, items: readonly T[], row: (item: T) => string): string[] {
  const rows: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = row(item);
    length += text.length;
    if (length > room) break;
    rows.push(text);
  }
  return rows;
}

/** A blank line on either side of Markdown inside of HTML makes it Markdown again. */
function details(summary: string, body: string, open = false): string {
  return `\n<details${open ? ' open' : ''}><summary>${summary}</summary>\n\n${body}\n</details>\n`;
}

function more(count: number): string {
  return count <= 0 ? '' : `\nand ${number(count)} more\n`;
}

function word(severity: string): string {
  return capital(severity.toLowerCase());
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
