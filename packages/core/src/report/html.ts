import type { InputError } from '../errors.js';
import type { Finding, Summary } from '../evaluate/index.js';
import type { Rule, Severity } from '../rule/index.js';
import { xml } from '../xml.js';
import { addToDigest, type Digest, newDigest, type RuleDigest, rulesBySeverity, suppressionsByCount } from './digest.js';
import { categoryChart, scoreBadge, severityChart } from './html-chart.js';
import { pageOpening, shown } from './html-page.js';
import { STYLE } from './html-style.js';
import { eachBatch, type Reporter, type RunEnd } from './reporter.js';
import { number, placeOf, plural, resourceName, scoreNotes } from './wording.js';

const FIRST_PER_RULE = 10;
const MAX_ERRORS = 100;
const MAX_SUPPRESSIONS = 100;

/**
 * The run as one HTML page that needs nothing else: score, charts, what could not be read, and each rule with its first findings, the
 * gravest rules first. Readable without script, in light and dark, and on paper. Written so that it is well-formed XML, too.
 */
export const html: Reporter = async (events, out, context) => {
  const digest = newDigest(FIRST_PER_RULE);
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) addToDigest(digest, finding);
  });
  const { errors, score, summary } = end;
  const rules = rulesBySeverity(digest);
  const details = new Map(context.rules.map((rule) => [rule.id, rule]));
  await out.write(pageOpening(headline(summary), STYLE));
  await out.write(header(end));
  await out.write(`<main>${tiles(summary)}<div class="charts">${severityChart(summary)}${categoryChart(summary, score)}</div>\n`);
  await out.write(errorSection(errors));
  await out.write(indexSection(rules));
  for (const rule of rules) await out.write(ruleSection(rule, details.get(rule.rule_id)));
  await out.write(suppressedSection(digest, summary.suppressed));
  await out.write(`</main>\n<footer>bylaw ${xml(context.version)}</footer>\n</body>\n</html>\n`);
};

function header({ summary, score, about = [] }: RunEnd): string {
  const source = about.map((note) => `<p>${shown(note)}</p>`).join('');
  const notes = scoreNotes(score);
  const note = notes.length === 0 ? '' : `<p class="dim">Score: ${xml(notes.join('; '))}.</p>`;
  return `<header>${scoreBadge(score)}<div><h1>${headline(summary)}</h1>${source}<p class="dim">${plural(summary.resources, 'resource')} judged by ${plural(summary.rules, 'rule')}.</p>${note}</div></header>\n`;
}

function headline({ findings }: Summary): string {
  return findings === 0 ? 'No findings' : plural(findings, 'finding');
}

function tiles({ resources, rules, findings, suppressed, errors }: Summary): string {
  const tile = (count: number, what: string) => `<li><b>${number(count)}</b> ${what}</li>`;
  return `<ul class="tiles">${tile(findings, 'findings')}${tile(suppressed, 'suppressed')}${tile(errors, 'errors')}${tile(resources, 'resources')}${tile(rules, 'rules')}</ul>\n`;
}

function errorSection(errors: readonly InputError[]): string {
  if (errors.length === 0) return '';
  const list = errors.slice(0, MAX_ERRORS).map(({ location, message, code }) => {
    const place = location === null ? '' : `<code>${shown(placeOf(location))}</code> `;
    return `<div class="error">${place}<span class="dim">${code}</span><br/>${shown(message)}</div>\n`;
  });
  return `<section id="errors"><h2>Not judged</h2>\n${list.join('')}${more(errors.length - list.length)}</section>\n`;
}

function indexSection(rules: readonly RuleDigest[]): string {
  if (rules.length === 0) return '<section><h2>Findings</h2><p>No rule found anything.</p></section>\n';
  const rows = rules.map(
    (rule) =>
      `<tr><td class="n">${number(rule.findings + rule.errors)}</td><td class="k">${chip(rule.severity)}</td><td class="k"><a href="#${anchor(rule.rule_id)}">${shown(rule.rule_id)}</a></td><td>${shown(rule.title)}</td></tr>\n`,
  );
  return `<section><h2>Rules that found something</h2>\n<table><thead><tr><th class="n">Findings</th><th class="k">Severity</th><th class="k">Rule</th><th>What must hold</th></tr></thead><tbody>\n${rows.join('')}</tbody></table></section>\n<h2>Findings</h2>\n`;
}

function ruleSection(rule: RuleDigest, detail: Rule | undefined): string {
  const open = rule.severity === 'CRITICAL' || rule.severity === 'HIGH' ? ' open="open"' : '';
  const count = [rule.findings > 0 ? plural(rule.findings, 'finding') : '', rule.errors > 0 ? plural(rule.errors, 'error') : ''].filter(
    Boolean,
  );
  const about = detail === undefined || detail.description === '' ? '' : `<p>${shown(detail.description)}</p>`;
  const inFiles = rule.first.some(({ location }) => location !== null);
  const rows = rule.first.map((finding) => findingRow(finding, inFiles)).join('');
  return `<details id="${anchor(rule.rule_id)}"${open}><summary>${chip(rule.severity)}<span class="code">${shown(rule.rule_id)}</span><span class="title">${shown(rule.title)}</span><span class="dim">${count.join(', ')}</span></summary>
<div class="body">${about}<p class="fix"><b>Fix:</b> ${shown(rule.fix)}</p>
<table><thead><tr>${inFiles ? '<th class="where">Where</th>' : ''}<th class="who">Resource</th><th>What</th></tr></thead><tbody>
${rows}</tbody></table>${more(rule.findings + rule.errors - rule.first.length)}${references(detail)}</div></details>
`;
}

function findingRow({ location, resource, message, path, status }: Finding, inFiles: boolean): string {
  const place = location === null ? '<span class="dim">no file</span>' : `<code>${shown(placeOf(location))}</code>`;
  const failed = status === 'error' ? '<b>The rule could not be evaluated.</b> ' : '';
  return `<tr>${inFiles ? `<td>${place}</td>` : ''}<td>${shown(resourceName(resource))}</td><td>${failed}${shown(message)}${path === '' ? '' : `<br/><code class="dim">${shown(path)}</code>`}</td></tr>\n`;
}

/** Frameworks, and links to pages; a reference that is no web address is shown as text. */
function references(detail: Rule | undefined): string {
  if (detail === undefined || (detail.frameworks.length === 0 && detail.references.length === 0)) return '';
  const links = detail.references.map((reference) =>
    /^https?:\/\//.test(reference) ? `<a href="${xml(reference)}" rel="noreferrer noopener">${shown(reference)}</a>` : shown(reference),
  );
  return `<p class="dim">${[...links, ...detail.frameworks.map(shown)].join(' · ')}</p>`;
}

function suppressedSection(digest: Digest, suppressed: number): string {
  if (suppressed === 0) return '';
  const groups = suppressionsByCount(digest).slice(0, MAX_SUPPRESSIONS);
  const rows = groups.map(
    ({ rule_id, findings, reason, source, expires }) =>
      `<tr><td class="n">${number(findings)}</td><td class="k">${shown(rule_id)}</td><td>${shown(reason)}</td><td class="k">${source}</td><td class="k">${expires === undefined ? '' : shown(expires)}</td></tr>\n`,
  );
  const rest = suppressed - groups.reduce((sum, group) => sum + group.findings, 0);
  return `<section id="suppressed"><h2>Suppressed</h2>\n<table><thead><tr><th class="n">Findings</th><th class="k">Rule</th><th>Reason</th><th class="k">Source</th><th class="k">Until</th></tr></thead><tbody>\n${rows.join('')}</tbody></table>${more(rest)}</section>\n`;
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
