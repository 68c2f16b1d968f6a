import type { InputError } from '../errors.js';
import { type Extraction, type Resource, readDocument, readObject } from '../resource/index.js';
import { belongsInBaseline } from './baseline.js';
import type { Item } from './batches.js';
import { type Counts, countFinding } from './counts.js';
import type { Finding } from './finding.js';
import { findingKey } from './finding-key.js';
import { inReportOrder, type Judge } from './judge.js';

export interface JudgedItems {
  findings: Finding[];
  errors: InputError[];
  /** Of the findings that belong into a baseline, where they are asked for. */
  keys: string[];
}

/** Reads and judges items, in order. Never throws on any input. */
export function judgeItems(items: readonly Item[], judge: Judge, counts: Counts, collectKeys = false): JudgedItems {
  const judged: JudgedItems = { findings: [], errors: [], keys: [] };
  // The work stands in a function of its own: a loop that holds it all is compiled anew for every batch.
  for (const item of items) judgeItem(item, judge, counts, collectKeys, judged);
  return judged;
}

function judgeItem(item: Item, judge: Judge, counts: Counts, collectKeys: boolean, into: JudgedItems): void {
  const read = readItem(item);
  into.errors.push(...read.errors);
  if (read.resources.length === 0 && read.errors.length > 0) counts.tally.found += 1;
  const findings = read.resources.length === 1 ? into.findings : [];
  for (const resource of read.resources) judgeResource(resource, judge, counts, collectKeys, findings, into);
  if (findings === into.findings) return;
  for (const finding of findings.sort(inReportOrder)) into.findings.push(finding);
}

function judgeResource(
  resource: Resource,
  judge: Judge,
  counts: Counts,
  collectKeys: boolean,
  findings: Finding[],
  into: JudgedItems,
): void {
  const judged = judge.judge(resource);
  into.errors.push(...judged.errors);
  for (const finding of judged.findings) {
    countFinding(counts, finding);
    findings.push(finding);
    if (collectKeys && belongsInBaseline(finding)) into.keys.push(findingKey(finding, resource));
  }
}

export function readItem(item: Item): Extraction {
  switch (item.type) {
    case 'error':
      return { resources: [], errors: [item.error], skipped: 0 };
    case 'value':
      return readObject(item.value, { file: item.file, document: item.index });
    case 'text':
      return readDocument(item.document, { explicit: item.explicit });
  }
}
