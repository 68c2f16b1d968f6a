import type { InputError } from '../errors.js';
import { type Extraction, readDocument, readObject } from '../resource/index.js';
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
  const findings: Finding[] = [];
  const errors: InputError[] = [];
  const keys: string[] = [];
  for (const item of items) {
    const read = readItem(item);
    errors.push(...read.errors);
    if (read.resources.length === 0 && read.errors.length > 0) counts.tally.found += 1;
    const ofDocument: Finding[] = [];
    for (const resource of read.resources) {
      const judged = judge.judge(resource);
      errors.push(...judged.errors);
      for (const finding of judged.findings) {
        countFinding(counts, finding);
        ofDocument.push(finding);
        if (collectKeys && belongsInBaseline(finding)) keys.push(findingKey(finding, resource));
      }
    }
    if (read.resources.length > 1) ofDocument.sort(inReportOrder);
    for (const finding of ofDocument) findings.push(finding);
  }
  return { findings, errors, keys };
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
