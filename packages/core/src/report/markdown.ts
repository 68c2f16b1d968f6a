import type { InputError } from '../errors.js';
import type { Finding, Summary } from '../evaluate/index.js';
import { SEVERITIES } from '../rule/index.js';
import { addToDigest, type Digest, newDigest, type RuleDigest, rulesBySeverity, suppressionsByCount } from './digest.js';
import { codeSpan, htmlText, markdownText } from './markdown-text.js';
import { eachBatch, type Reporter, type RunEnd } from './reporter.js';
import { number, placeOf, plural, resourceName, scoreNotes, scoreText } from './wording.js';

/** A comment of GitHub holds 65,536 characters; a caller may want to put some words around the report. */
const MAX_LENGTH = 60_000;
/** Kept free for the note about what was left out. */
const RESERVE = 300;

const FIRST_PER_RULE = 5;
/** Room for the rows of errors and of suppressed findings, in characters. */
const ERROR_ROOM = 12_000;
const SUPPRESSED_ROOM = 8_000;

/**
 * The run for a comment on a change, or a step summary: counts, what could not be read, then each rule with its first findings, the gravest
 * rules first, until 60,000 characters are full. GitHub and GitLab flavour.
 */
export const markdown: Reporter = async (events, out) => {
  const digest = newDigest(FIRST_PER_RULE);
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
  });
  const head = [title(end), countTable(end.summary), errorBlock(end.errors)].join('');
  const rules = rulesBySeverity(digest).map(ruleBlock);
  await out.write(fitted(head, rules, suppressedBlock(digest, end.summary.suppressed)));
};

/** As many rules as fit, and what could not be shown. */
function fitted(head: string, rules: readonly string[], tail: string): string {
  let room = MAX_LENGTH - RESERVE - head.length - tail.length;
  let shown = 0;
  for (const rule of rules) {
    if (rule.length > room) break;
    room -= rule.length;
    shown += 1;
  }
  const left = rules.length - shown;
  const note =
    left === 0 ? '' : `\n_${plural(left, 'more rule')} with findings left out, to keep this short; the other formats hold them._\n`;
  return head + rules.slice(0, shown).join('') + note + tail;
}

function title({ summary: { findings, resources, rules }, score, about = [] }: RunEnd): string {
  const notes = scoreNotes(score);
  const grade = score.overall === null ? 'no score' : `score ${scoreText(score.overall)} (${score.grade})`;
  const heading = `## bylaw: ${findings === 0 ? 'no findings' : plural(findings, 'finding')}, ${grade}\n\n`;
  const source = about.map((note) => `${markdownText(note)}\n\n`).join('');
  return `${heading}${source}${plural(resources, 'resource')} judged by ${plural(rules, 'rule')}.${notes.length === 0 ? '' : ` ${capital(notes.join('; '))}.`}\n`;
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
    `<b>${plural(errors.length, 'error')}</b>: parts of the input were not judged`,
    `| Where | What | Code |\n|---|---|---|\n${rows.join('')}${more(errors.length - rows.length)}`,
  );
}

function ruleBlock({ rule_id, severity, title: of, fix, findings, errors, first }: RuleDigest): string {
  const count = [findings > 0 ? plural(findings, 'finding') : '', errors > 0 ? plural(errors, 'error') : ''].filter(Boolean).join(', ');
  const inFiles = first.some(({ location }) => location !== null);
  const rows = first.map(
    (finding) => `|${inFiles ? ` ${whereCell(finding)} |` : ''} ${codeSpan(resourceName(finding.resource))} | ${whatCell(finding)} |\n`,
  );
  const head = inFiles ? '| Where | Resource | What |\n|---|---|---|\n' : '| Resource | What |\n|---|---|\n';
  const table = `${head}${rows.join('')}${more(findings + errors - rows.length)}`;
  return details(`<b>${severity}</b> ${htmlText(rule_id)} ${htmlText(of)} (${count})`, `**Fix:** ${markdownText(fix)}\n\n${table}`);
}

function whereCell({ location }: Finding): string {
  return location === null ? '' : codeSpan(placeOf(location));
}

function whatCell({ status, message }: Finding): string {
  return status === 'error' ? `**The rule could not be evaluated:** ${markdownText(message)}` : markdownText(message);
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
function details(summary: string, body: string): string {
  return `\n<details><summary>${summary}</summary>\n\n${body}\n</details>\n`;
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
