import type { InputError } from '../../errors.js';
import type { Finding, Summary } from '../../evaluate/index.js';
import type { Rule, Severity } from '../../rule/index.js';
import { xml } from '../../xml.js';
import { addToDigest, type Digest, newDigest, type RuleDigest, rulesBySeverity, suppressionsByCount } from '../digest.js';
import { exceptionTexts } from '../exception-text.js';
import { pageOpening, shown } from '../html-page.js';
import { STYLE } from '../html-style.js';
import { eachBatch, type ReportContext, type Reporter, type RunEnd } from '../reporter.js';
import { verdictOf } from '../verdict.js';
import { fileOf, NO_FILE, number, placeOf, plural, resourceName, scoreNotes, scoreScope, scoreText, uncheckedCount } from '../wording.js';
import { categoryChart, scoreBadge, severityChart } from './html-chart.js';

const FIRST_PER_RULE = 10;
/** Findings of each severity that are listed one by one. */
const LISTED = 10_000;
const LISTED_MEDIUM = 1_000;
const MAX_ERRORS = 100;
const MAX_SUPPRESSIONS = 100;
const MAX_KINDS = 200;
const MAX_UNDECIDED = 1_000;

/** Severities whose findings are listed one by one, by file; those of the others are folded by rule. */
const DETAILED: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM'];

/**
 * The run as one HTML page that needs nothing else: verdict, score, charts, what could not be read and what was not checked, then the findings, the most
 * severe first and by file, those of low severity by rule, and what each rule is about. Readable without script, in light and dark, and on paper.
 * Written so that it is well-formed XML, too.
 */
export const html: Reporter = async (events, out, context) => {
  const listed = { CRITICAL: LISTED, HIGH: LISTED, MEDIUM: LISTED_MEDIUM, LOW: 0, INFO: 0 };
  const digest = newDigest({ firstPerRule: FIRST_PER_RULE, listed });
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
  });
  const { errors, score, summary } = end;
  const rules = rulesBySeverity(digest);
  const details = new Map(context.rules.map((rule) => [rule.id, rule]));
  const together = digest.consequences.of(DETAILED.flatMap((severity) => digest.listed[severity]));
  await out.write(pageOpening(headline(summary), STYLE));
  await out.write(header(end, context));
  await out.write(`<main>${tiles(summary)}<div class="charts">${severityChart(summary)}${categoryChart(summary, score)}</div>\n`);
  await out.write(errorSection(errors));
  await out.write(failureSection(digest));
  await out.write(uncheckedSection(end));
  await out.write(undecidedSection(end));
  await out.write(indexSection(rules, digest));
  for (const severity of DETAILED) await out.write(severitySection(digest, severity, together));
  await out.write(foldedSection(rules));
  await out.write(ruleSections(rules, details));
  await out.write(exceptionSection(digest, summary));
  await out.write(`</main>\n<footer>bylaw ${xml(context.version)}</footer>\n</body>\n</html>\n`);
};

function header({ summary, score, about = [] }: RunEnd, { threshold = 'HIGH', subject = {} }: ReportContext): string {
  const { outcome, word, why } = verdictOf(summary, threshold);
  const { date, commit } = subject;
  const lines = [...(date === undefined ? [] : [`Date: ${date}`]), ...(commit === undefined ? [] : [`Commit: ${commit}`]), ...about];
  const source = lines.map((line) => `<p>${shown(line)}</p>`).join('');
  const notes = scoreNotes(score, summary);
  const within = score.overall === null ? '' : scoreScope(summary);
  const scored = within === '' ? '' : ` Score ${scoreText(score.overall)}${within}.`;
  const note = notes.length === 0 ? '' : `<p class="dim">Score: ${xml(notes.join('; '))}.</p>`;
  return `<header>${scoreBadge(score)}<div><h1>${headline(summary)}</h1><p><b class="verdict ${outcome}">${word}</b> ${shown(why)}</p>${source}<p class="dim">${plural(summary.resources, 'resource')} checked by ${plural(summary.rules, 'rule')}.${scored}</p>${note}</div></header>\n`;
}

function headline({ findings }: Summary): string {
  return findings === 0 ? 'No findings' : plural(findings, 'finding');
}

function tiles(summary: Summary): string {
  const { resources, rules, findings, suppressed, errors } = summary;
  const tile = (count: number, what: string) => `<li><b>${number(count)}</b> ${what}</li>`;
  return `<ul class="tiles">${tile(findings, 'findings')}${tile(suppressed, 'suppressed')}${tile(errors, 'errors')}${tile(resources, 'resources')}${tile(uncheckedCount(summary), 'not checked')}${tile(rules, 'rules')}</ul>\n`;
}

function errorSection(errors: readonly InputError[]): string {
  if (errors.length === 0) return '';
  const list = errors.slice(0, MAX_ERRORS).map(({ location, message, code }) => {
    const place = location === null ? '' : `<code>${shown(placeOf(location))}</code> `;
    return `<div class="error">${place}<span class="dim">${code}</span><br/>${shown(message)}</div>\n`;
  });
  return `<section id="errors"><h2>Not read</h2>\n${list.join('')}${more(errors.length - list.length)}</section>\n`;
}

/** Rules that could not be evaluated on a resource. */
function failureSection({ failures, moreFailures }: Digest): string {
  if (failures.length === 0) return '';
  const rows = failures
    .slice(0, MAX_ERRORS)
    .map(
      ({ rule_id, location, resource, message }) =>
        `<tr><td class="k">${shown(rule_id)}</td><td><code>${shown(placeOf(location))}</code></td><td>${shown(resourceName(resource))}</td><td>${shown(message)}</td></tr>\n`,
    );
  return `<section id="failures"><h2>Rules that could not be evaluated</h2>\n<table><thead><tr><th class="k">Rule</th><th>Where</th><th>Resource</th><th>Why</th></tr></thead><tbody>\n${rows.join('')}</tbody></table>${more(failures.length + moreFailures - rows.length)}</section>\n`;
}

/** Kinds that no rule covers, and what was left out without an error. */
function uncheckedSection({ summary: { unchecked }, notes }: RunEnd): string {
  if (unchecked.length === 0 && notes.length === 0) return '';
  const rows = unchecked
    .slice(0, MAX_KINDS)
    .map(({ kind, count }) => `<tr><td class="n">${number(count)}</td><td>${shown(kind)}</td></tr>\n`);
  const table =
    rows.length === 0
      ? ''
      : `<p>No selected rule covers these kinds.</p><table><thead><tr><th class="n">Resources</th><th>Kind</th></tr></thead><tbody>\n${rows.join('')}</tbody></table>${more(unchecked.length - rows.length)}`;
  return `<section id="unchecked"><h2>Not checked</h2>\n${notes.map(({ message }) => `<p>${shown(message)}</p>`).join('')}${table}</section>\n`;
}

/** Checks that could not be decided: how often and why, then where. */
function undecidedSection({ summary, undecided = [] }: RunEnd): string {
  if (summary.undecided === undefined) return '';
  const { checks, reasons, more_reasons: others } = summary.undecided;
  const why = reasons.map(({ count, message }) => `<tr><td class="n">${number(count)}</td><td>${shown(message)}</td></tr>\n`);
  const listed = undecided.slice(0, MAX_UNDECIDED);
  const where = listed.map(
    ({ rule_id, location, resource, path, message }) =>
      `<tr><td class="k">${shown(rule_id)}</td><td><code>${shown(placeOf(location))}</code></td><td>${shown(resourceName(resource))}</td><td>${shown(message)}${pathText(path)}</td></tr>\n`,
  );
  return `<section id="undecided"><h2>Undecided</h2>\n<table><thead><tr><th class="n">Checks</th><th>Why</th></tr></thead><tbody>\n${why.join('')}</tbody></table>${more(others)}
<details><summary><span class="title">${plural(checks, 'check')}</span></summary>
<div class="body"><table><thead><tr><th class="k">Rule</th><th>Where</th><th>Resource</th><th>Why</th></tr></thead><tbody>
${where.join('')}</tbody></table>${more(checks - listed.length)}</div></details></section>\n`;
}

function indexSection(rules: readonly RuleDigest[], { consequences }: Digest): string {
  const found = rules.filter(({ findings }) => findings > 0);
  if (found.length === 0) return '<section><h2>Findings</h2><p>No rule reported a finding.</p></section>\n';
  const rows = found.map(
    (rule) =>
      `<tr><td class="n">${number(rule.findings)}</td><td class="k">${chip(rule.severity)}</td><td class="k">${ruleLink(rule.rule_id)}</td><td>${shown(rule.title)}</td></tr>\n`,
  );
  const total = consequences.total();
  const note =
    total === 0
      ? ''
      : `<p class="dim">${plural(total, 'more finding has', 'more findings have')} the same cause as another finding, which lists the rule under “Same cause”.</p>`;
  return `<section><h2>Rules with findings</h2>\n<table><thead><tr><th class="n">Findings</th><th class="k">Severity</th><th class="k">Rule</th><th>Requirement</th></tr></thead><tbody>\n${rows.join('')}</tbody></table>${note}</section>\n`;
}

/** The findings of a severity, file by file, with the fix where a rule is met first in a file. */
function severitySection(digest: Digest, severity: Severity, together: ReadonlyMap<Finding, readonly string[]>): string {
  const total = digest.totals[severity];
  if (total === 0) return '';
  const findings = digest.listed[severity];
  const files = Map.groupBy(findings, ({ location }) => (location === null ? NO_FILE : fileOf(location)));
  const tables = [...files].map(([file, within]) => {
    const explained = new Set<string>();
    const heading = file === NO_FILE && files.size === 1 ? '' : `<h3 class="code">${shown(file)}</h3>\n`;
    const rows = within.map((finding) => findingRow(finding, explained, together)).join('');
    return `${heading}<table><thead><tr><th class="k">Rule</th><th class="k">Line</th><th class="who">Resource</th><th>What</th></tr></thead><tbody>\n${rows}</tbody></table>\n`;
  });
  return `<section id="${severity.toLowerCase()}"><h2>${chip(severity)} ${plural(total, 'finding')}</h2>\n${tables.join('')}${more(total - findings.length)}</section>\n`;
}

function findingRow(finding: Finding, explained: Set<string>, together: ReadonlyMap<Finding, readonly string[]>): string {
  const { rule_id, location, resource, message, path, fix } = finding;
  const line = location === null || location.rendered_from !== undefined ? '' : `${location.line}:${location.column}`;
  const fixed = explained.has(rule_id) ? '' : `<p class="fix"><b>Fix:</b> ${shown(fix)}</p>`;
  explained.add(rule_id);
  const others = together.get(finding);
  const same = others === undefined ? '' : `<br/><span class="dim">Same cause: ${others.map(shown).join(', ')}</span>`;
  return `<tr><td class="k">${ruleLink(rule_id)}</td><td class="k">${line}</td><td>${shown(resourceName(resource))}</td><td>${shown(message)}${pathText(path)}${same}${fixed}</td></tr>\n`;
}

function pathText(path: string): string {
  return path === '' ? '' : `<br/><code class="dim">${shown(path)}</code>`;
}

/** The findings of low severity, folded by rule. */
function foldedSection(rules: readonly RuleDigest[]): string {
  const folded = rules.filter(({ severity, findings }) => findings > 0 && !DETAILED.includes(severity));
  if (folded.length === 0) return '';
  const total = folded.reduce((sum, { findings }) => sum + findings, 0);
  return `<section id="folded"><h2>${chip('LOW')} ${chip('INFO')} ${plural(total, 'finding')}</h2>\n${folded.map(foldedRule).join('')}</section>\n`;
}

function foldedRule({ rule_id, severity, title, fix, findings, first }: RuleDigest): string {
  const rows = first.map(
    ({ finding: { location, resource, message, path } }) =>
      `<tr><td class="where"><code>${shown(placeOf(location))}</code></td><td class="who">${shown(resourceName(resource))}</td><td>${shown(message)}${pathText(path)}</td></tr>\n`,
  );
  return `<details><summary>${chip(severity)}<span class="code">${shown(rule_id)}</span><span class="title">${shown(title)}</span><span class="dim">${plural(findings, 'finding')}</span></summary>
<div class="body"><p class="fix"><b>Fix:</b> ${shown(fix)} ${ruleLink(rule_id)}</p>
<table><thead><tr><th class="where">Where</th><th class="who">Resource</th><th>What</th></tr></thead><tbody>
${rows.join('')}</tbody></table>${more(findings - first.length)}</div></details>
`;
}

/** What each rule that found something is about. */
function ruleSections(rules: readonly RuleDigest[], details: ReadonlyMap<string, Rule>): string {
  const found = rules.filter(({ findings }) => findings > 0);
  if (found.length === 0) return '';
  return `<section id="rules"><h2>About these rules</h2>\n${found.map((rule) => ruleSection(rule, details.get(rule.rule_id))).join('')}</section>\n`;
}

function ruleSection({ rule_id, severity, title, fix }: RuleDigest, detail: Rule | undefined): string {
  const about = detail === undefined || detail.description === '' ? '' : `<p>${shown(detail.description)}</p>`;
  return `<details id="${anchor(rule_id)}"><summary>${chip(severity)}<span class="code">${shown(rule_id)}</span><span class="title">${shown(title)}</span></summary>
<div class="body">${about}<p class="fix"><b>Fix:</b> ${shown(fix)}</p>${references(detail)}</div></details>
`;
}

function ruleLink(id: string): string {
  return `<a href="#${anchor(id)}">${shown(id)}</a>`;
}

/** Frameworks, and links to pages; a reference that is not a web address is shown as text. */
function references(detail: Rule | undefined): string {
  if (detail === undefined || (detail.frameworks.length === 0 && detail.references.length === 0)) return '';
  const links = detail.references.map((reference) =>
    /^https?:\/\//.test(reference) ? `<a href="${xml(reference)}" rel="noreferrer noopener">${shown(reference)}</a>` : shown(reference),
  );
  return `<p class="dim">${[...links, ...detail.frameworks.map(shown)].join(' · ')}</p>`;
}

/** What exceptions cover, and what they would cover if they counted. */
function exceptionSection(digest: Digest, summary: Summary): string {
  const said = exceptionTexts(summary).map((text) => `<p>${shown(text)}</p>`);
  const table = summary.suppressed === 0 ? '' : suppressedTable(digest, summary.suppressed);
  return said.length === 0 && table === '' ? '' : `<section id="suppressed"><h2>Suppressed</h2>\n${said.join('\n')}${table}</section>\n`;
}

function suppressedTable(digest: Digest, suppressed: number): string {
  const groups = suppressionsByCount(digest).slice(0, MAX_SUPPRESSIONS);
  const rows = groups.map(
    ({ rule_id, findings, reason, source, expires }) =>
      `<tr><td class="n">${number(findings)}</td><td class="k">${shown(rule_id)}</td><td>${shown(reason)}</td><td class="k">${source}</td><td class="k">${expires === undefined ? '' : shown(expires)}</td></tr>\n`,
  );
  const rest = suppressed - groups.reduce((sum, group) => sum + group.findings, 0);
  return `<table><thead><tr><th class="n">Findings</th><th class="k">Rule</th><th>Reason</th><th class="k">Source</th><th class="k">Until</th></tr></thead><tbody>\n${rows.join('')}</tbody></table>${more(rest)}`;
}

function chip(severity: Severity): string {
  return `<span class="chip ${severity.toLowerCase()}">${severity}</span>`;
}

function more(count: number): string {
  return count <= 0 ? '' : `<p class="dim">and ${number(count)} more</p>`;
}

/** An identifier as an anchor: identifiers of foreign packs may hold anything. */
function anchor(id: string): string {
  return `rule-${encodeURIComponent(id.toWellFormed()).replaceAll("'", '%27').replaceAll('%', '.')}`;
}
