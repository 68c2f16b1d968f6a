import type { FindingBatch } from './evaluation.js';
import type { Finding } from './finding.js';
import { findingJson } from './finding-json.js';

/** A batch that was made here. Its JSON is written when it is asked for. */
export function findingBatch(findings: Finding[]): FindingBatch {
  return { count: findings.length, findings: () => findings, json: () => jsonItems(findings) };
}

/** A batch that came from a worker as text. It is parsed when its findings are asked for. */
export function jsonBatch(count: number, json: string): FindingBatch {
  return { count, findings: () => JSON.parse(`[${json}]`) as Finding[], json: () => json }; // the worker wrote it with jsonItems
}

/** Findings as the text of JSON array items, one a line, without the brackets. */
export function jsonItems(findings: readonly Finding[]): string {
  let text = '';
  for (const finding of findings) text += text === '' ? findingJson(finding) : `,\n${findingJson(finding)}`;
  return text;
}
