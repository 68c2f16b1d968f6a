import type { InputError } from '../errors.js';
import { type Extraction, isObject, readDocument, readObject, resourceOf } from '../resource/index.js';
import type { JsonObject, JsonValue } from '../resource/text/json.js';
import { belongsInBaseline } from './baseline.js';
import type { Item } from './batches.js';
import { type Counts, countFinding } from './counts.js';
import type { Finding } from './finding.js';
import { findingKey } from './finding-key.js';
import type { Judge, Judged } from './judge.js';
import type { JudgePlan } from './judge-plan.js';
import { inReportOrder } from './report-order.js';
import type { SkippedDocument } from './skipped-notes.js';
import { contentKey } from './unchanged.js';
import type { UndecidedCheck } from './undecided-check.js';

export interface JudgedItems {
  findings: Finding[];
  undecided: UndecidedCheck[];
  errors: InputError[];
  /** Of the findings that belong into a baseline, where they are asked for. */
  keys: string[];
  /** Documents that were passed over, in order. */
  skipped: SkippedDocument[];
}

/** As many items are read before they are judged: more would fill the memory near the processor. */
const AT_ONCE = 32;

/** Reads and judges items, in order. Never throws on any input. */
export function judgeItems(
  items: readonly Item[],
  judge: Judge,
  counts: Counts,
  how: Pick<JudgePlan, 'collectKeys' | 'unchanged'> = { collectKeys: false },
): JudgedItems {
  const judged: JudgedItems = { findings: [], undecided: [], errors: [], keys: [], skipped: [] };
  // The work stands in a function of its own: a loop that holds it all is compiled anew for every batch.
  for (let start = 0; start < items.length; start += AT_ONCE) judgeSome(items.slice(start, start + AT_ONCE), judge, counts, how, judged);
  return judged;
}

function judgeSome(
  items: readonly Item[],
  judge: Judge,
  counts: Counts,
  { collectKeys, unchanged }: Pick<JudgePlan, 'collectKeys' | 'unchanged'>,
  into: JudgedItems,
): void {
  const read = items.map((item) => withoutUnchanged(readItem(item), unchanged?.get(fileOf(item))));
  const judged = judge.judge(read.flatMap(({ resources }) => resources));
  let next = 0;
  for (const [index, { resources, errors, skipped }] of read.entries()) {
    into.errors.push(...errors);
    for (const what of skipped) into.skipped.push({ file: fileOf(items[index]), what });
    if (resources.length === 0 && errors.length > 0) counts.tally.found += 1;
    const findings: Finding[] = [];
    for (const one of judged.slice(next, next + resources.length)) addJudged(one, counts, collectKeys, findings, into);
    next += resources.length;
    if (resources.length > 1) findings.sort(inReportOrder);
    for (const finding of findings) into.findings.push(finding);
  }
}

/** What was rendered may bear the name of a file. */
function withoutUnchanged(read: Extraction, known: ReadonlySet<string> | undefined): Extraction {
  if (!known) return read;
  const resources = read.resources.filter((resource) => resource.source.rendered !== undefined || !known.has(contentKey(resource)));
  return { ...read, resources };
}

function fileOf(item: Item | undefined): string {
  if (item?.type === 'resource') return item.resource.file;
  return item?.type === 'text' ? item.document.file : '';
}

function addJudged(judged: Judged, counts: Counts, collectKeys: boolean, findings: Finding[], into: JudgedItems): void {
  counts.identities?.push(identityOf(judged.resource));
  into.errors.push(...judged.errors);
  into.undecided.push(...judged.undecided);
  for (const finding of judged.findings) {
    countFinding(counts, finding);
    findings.push(finding);
    if (collectKeys && belongsInBaseline(finding)) into.keys.push(findingKey(finding, judged.resource));
  }
}

export function readItem(item: Item): Extraction {
  switch (item.type) {
    case 'error':
      return { resources: [], errors: [item.error], skipped: [] };
    case 'value':
      return readValue(item);
    case 'resource':
      return { resources: [resourceOf(item.resource)], errors: [], skipped: [] };
    case 'text':
      return readDocument(item.document, { explicit: item.explicit });
  }
}

/** An object that came already parsed has no place in a text: its errors name the object instead. */
function readValue({ value, file, index, live }: Extract<Item, { type: 'value' }>): Extraction {
  const { resources, errors, skipped } = readObject(value, { file, document: index, served: live });
  const name = () => objectName(value) || (live ? 'An object' : `Object ${index + 1}`);
  return {
    resources: live ? resources.map((resource) => ({ ...resource, live })) : resources,
    errors: errors.map(({ code, message }) => ({ code, message: `${name()}: ${message}`, location: null })),
    skipped,
  };
}

/** `Pod shop/web`; empty for an object without kind and name. */
function objectName(value: unknown): string {
  const object: JsonObject = isObject(value) ? value : {};
  const { namespace, name }: JsonObject = isObject(object['metadata']) ? object['metadata'] : {};
  return [object['kind'], [namespace, name].filter(isText).join('/')].filter(isText).join(' ');
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function identityOf({ kind, namespace = '', name }: Judged['resource']): string {
  return `${kind}/${namespace}/${name}`;
}
