import type { Location } from '../../errors.js';
import type { FindingBatch } from './evaluation.js';
import type { Finding } from './finding.js';

/**
 * A finding as JSON: the same text as `JSON.stringify`, several times as fast. Most of a finding is the same for every finding
 * of its rule, or of its resource, so those parts are written once.
 */
export function findingJson(finding: Finding): string {
  const { head, tail } = partsOfRule(finding);
  const location = finding.location === null ? 'null' : locationJson(finding.location);
  const suppression = finding.suppression === undefined ? '' : `,"suppression":${JSON.stringify(finding.suppression)}`;
  const ignored = finding.would_be_suppressed === undefined ? '' : `,"would_be_suppressed":${JSON.stringify(finding.would_be_suppressed)}`;
  const cause = finding.caused_by === undefined ? '' : `,"caused_by":${JSON.stringify(finding.caused_by)}`;
  return `${head}"${finding.status}","resource":${resourceJson(finding.resource)},"location":${location},"path":${JSON.stringify(finding.path)},"message":${JSON.stringify(finding.message)}${tail}${suppression}${ignored}${cause}}`;
}

interface RuleParts {
  of: Finding;
  /** From the brace to the status. */
  head: string;
  /** Fix and frameworks. */
  tail: string;
}

/** By rule: the number of rules bounds it. */
const ruleParts = new Map<string, RuleParts>();

function partsOfRule(finding: Finding): RuleParts {
  const known = ruleParts.get(finding.rule_id);
  if (known && isSameRule(known.of, finding)) return known;
  const { rule_id, category, severity, title, fix, frameworks } = finding;
  const head = `${JSON.stringify({ rule_id, category, severity, title }).slice(0, -1)},"status":`;
  const parts = { of: finding, head, tail: `,"fix":${JSON.stringify(fix)},"frameworks":${JSON.stringify(frameworks)}` };
  ruleParts.set(rule_id, parts);
  return parts;
}

/** Custom rules of another run may use the same identifier. The lists are compared by identity: they come from the rule itself. */
function isSameRule(a: Finding, b: Finding): boolean {
  return a.frameworks === b.frameworks && a.title === b.title && a.fix === b.fix && a.severity === b.severity && a.category === b.category;
}

const resourceTexts = new WeakMap<Finding['resource'], string>();

function resourceJson(resource: Finding['resource']): string {
  let text = resourceTexts.get(resource);
  if (text === undefined) {
    text = JSON.stringify(resource);
    resourceTexts.set(resource, text);
  }
  return text;
}

let lastFile: { name: string; json: string } | undefined;

function locationJson({ file, line, column, rendered_from }: Location): string {
  if (lastFile?.name !== file) lastFile = { name: file, json: JSON.stringify(file) };
  const rendered = rendered_from === undefined ? '' : `,"rendered_from":${JSON.stringify(rendered_from)}`;
  return `{"file":${lastFile.json},"line":${line},"column":${column}${rendered}}`;
}

/** A batch that was made here. Its JSON is written only on request. */
export function findingBatch(findings: Finding[]): FindingBatch {
  return { count: findings.length, findings: () => findings, json: () => jsonItems(findings) };
}

/** A batch that came from a worker as text. Its findings are parsed only on request. */
export function jsonBatch(count: number, json: string): FindingBatch {
  return { count, findings: () => JSON.parse(`[${json}]`) as Finding[], json: () => json }; // the worker wrote it with jsonItems
}

/** Findings as the text of JSON array items, one a line, without the brackets. */
export function jsonItems(findings: readonly Finding[]): string {
  let text = '';
  for (const finding of findings) text += text === '' ? findingJson(finding) : `,\n${findingJson(finding)}`;
  return text;
}
