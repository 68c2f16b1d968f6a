import type { InputError } from '../../errors.js';
import type { Extraction } from '../../resource/index.js';
import { belongsInBaseline } from '../exceptions/baseline.js';
import { type Finding, inReportOrder } from '../findings/finding.js';
import { findingKey } from '../findings/finding-key.js';
import type { UndecidedCheck } from '../findings/undecided-check.js';
import type { Item } from '../items/batches.js';
import { readItem } from '../items/read-item.js';
import type { SkippedDocument } from '../items/skipped-notes.js';
import { contentKey } from '../items/unchanged.js';
import { type Counts, countFinding } from './counts.js';
import type { EvaluatedResource, RuleRunner } from './rule-runner.js';
import type { RunPlan } from './run-plan.js';

export interface EvaluatedItems {
  findings: Finding[];
  undecided: UndecidedCheck[];
  errors: InputError[];
  /** Keys of the findings that belong in a baseline, if requested. */
  keys: string[];
  /** Documents that were passed over, in order. */
  skipped: SkippedDocument[];
}

/** This many items are read before they are evaluated: more would overflow the processor cache. */
const AT_ONCE = 32;

/** Reads and evaluates items, in order. Never throws on any input. */
export function evaluateItems(
  items: readonly Item[],
  runner: RuleRunner,
  counts: Counts,
  how: Pick<RunPlan, 'collectKeys' | 'unchanged'> = { collectKeys: false },
): EvaluatedItems {
  const evaluated: EvaluatedItems = { findings: [], undecided: [], errors: [], keys: [], skipped: [] };
  // The work is in a function of its own: a loop that contains all of it is compiled anew for every batch.
  for (let start = 0; start < items.length; start += AT_ONCE)
    evaluateSome(items.slice(start, start + AT_ONCE), runner, counts, how, evaluated);
  return evaluated;
}

function evaluateSome(
  items: readonly Item[],
  runner: RuleRunner,
  counts: Counts,
  { collectKeys, unchanged }: Pick<RunPlan, 'collectKeys' | 'unchanged'>,
  into: EvaluatedItems,
): void {
  const read = items.map((item) => withoutUnchanged(readItem(item), unchanged?.get(fileOf(item))));
  const evaluated = runner.run(read.flatMap(({ resources }) => resources));
  let next = 0;
  for (const [index, { resources, errors, skipped }] of read.entries()) {
    into.errors.push(...errors);
    for (const what of skipped) into.skipped.push({ file: fileOf(items[index]), what });
    if (resources.length === 0 && errors.length > 0) counts.tally.found += 1;
    const findings: Finding[] = [];
    for (const one of evaluated.slice(next, next + resources.length)) addEvaluated(one, counts, collectKeys, findings, into);
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

function addEvaluated(evaluated: EvaluatedResource, counts: Counts, collectKeys: boolean, findings: Finding[], into: EvaluatedItems): void {
  counts.identities?.push(identityOf(evaluated.resource));
  into.errors.push(...evaluated.errors);
  into.undecided.push(...evaluated.undecided);
  for (const finding of evaluated.findings) {
    countFinding(counts, finding);
    findings.push(finding);
    if (collectKeys && belongsInBaseline(finding)) into.keys.push(findingKey(finding, evaluated.resource));
  }
}

function identityOf({ kind, namespace = '', name }: EvaluatedResource['resource']): string {
  return `${kind}/${namespace}/${name}`;
}
