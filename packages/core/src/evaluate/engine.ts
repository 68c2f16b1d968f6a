import { availableParallelism } from 'node:os';
import type { Clock } from '../clock.js';
import type { InputError } from '../errors.js';
import { HIDING, type Note, skippedError } from '../note.js';
import type { Catalogue, Rule } from '../rule/index.js';
import { scoreOf, type Tally } from '../score/index.js';
import type { EvaluationEvent } from './findings/evaluation.js';
import type { UndecidedHandling } from './findings/undecided-check.js';
import { toldOf, UndecidedLog } from './findings/undecided-log.js';
import { type AnyInput, batches, type Item, isValueInput, items, sizeOf } from './items/batches.js';
import { type Projections, projectionPlan } from './items/projections.js';
import { readProjections } from './items/read-projections.js';
import { SkippedFiles } from './items/skipped-notes.js';
import type { UnchangedObjects } from './items/unchanged.js';
import { wholeness } from './items/wholeness.js';
import { type Counts, newCounts, sumCounts, summaryOf } from './run/counts.js';
import { type PlanRequest, planOf } from './run/run-plan.js';
import { evaluateBatches, startEvaluationWorker } from './run/threaded.js';
import type { Selection } from './select.js';
import { type RunRules, selectForRun } from './select-for-run.js';

/** What to evaluate, and how. */
export interface EvaluationRequest extends PlanRequest {
  inputs: readonly AnyInput[];
  /** Errors met before the inputs were read (a missing path, …): reported first. */
  inputErrors?: readonly InputError[];
  /** What was left out before the inputs were read: reported first among the notes. */
  inputNotes?: readonly Note[];
  /** Errors that are known only once all inputs are read, such as kinds of a cluster that stopped answering: asked for once, reported last. */
  lateErrors?: () => readonly InputError[];
  /** Whether notes on input that may hold manifests and was not read are errors. */
  failOnSkipped?: boolean;
  /** What is done about checks that cannot be decided; absent: `warn`. The score is the same for each. */
  undecided?: UndecidedHandling;
  filter?: Selection;
  /** Whether the end says, as its member `compliance`, what the run means for the controls of the frameworks in the filter, or of all. */
  includeCompliance?: boolean;
  /** Whether the input holds everything that is in the cluster: what an object refers to and is not there, then does not exist. Absent: it does not. */
  complete?: boolean;
  /** What `+set` rules look at, if it is more than `inputs`: nothing else of it is evaluated. */
  setInputs?: readonly AnyInput[];
  /** Objects of `inputs` that are not evaluated. */
  unchanged?: UnchangedObjects;
  /** What `+set` rules read of the whole set, where the caller has collected it already; the inputs are then read once. */
  set?: Projections;
  /** Threads that evaluate, including the calling one: 0 and 1 start no other. Absent: as many as the size of the input justifies. */
  threads?: number;
  /** Called as documents are evaluated, with their number so far. */
  onProgress?: (documents: number) => void;
  /** Called with the keys of the findings that belong into a baseline, batch by batch. */
  onBaselineKeys?: (keys: readonly string[]) => void;
  /** Called once, before the end event, with what was counted per rule, and with kind, namespace and name of every resource. */
  onCounted?: (tally: Tally, identities: readonly string[]) => void;
}

export interface Engine {
  readonly catalogue: Catalogue;
  /** The rules that a run with this filter uses. @throws {BylawError} `no-rules-selected`, and for unknown names */
  select(filter?: Selection): Rule[];
  /**
   * Evaluates the inputs: findings in the order of files, lines and rules, then one end. Memory holds a few batches of documents
   * and the parts that `+set` rules read. Errors about inputs are in the end event; nothing else is lost because of them. It is the last to read
   * the inputs: of standard input and pipes nothing is kept for another.
   * @throws {BylawError} before the first event: `no-rules-selected`, and for unknown names in the filter
   */
  evaluate(request: EvaluationRequest): AsyncGenerator<EvaluationEvent, void, void>;
}

export function createEngine(options: { catalogue: Catalogue; clock: Clock }): Engine {
  const { catalogue, clock } = options;
  return {
    catalogue,
    select: (filter) => selectForRun(catalogue, filter).rules,
    evaluate: (request) => evaluate(catalogue, selectForRun(catalogue, request.filter), request, clock),
  };
}

async function* evaluate(
  catalogue: Catalogue,
  { rules, notes }: RunRules,
  request: EvaluationRequest,
  clock: Clock,
): AsyncGenerator<EvaluationEvent, void, void> {
  const threads = request.threads ?? worthThreads(request.inputs);
  const workers = Array.from({ length: Math.max(threads - 1, 0) }, () => startEvaluationWorker(catalogue.origin));
  try {
    const setPlan = projectionPlan(rules);
    const kept =
      workers.length === 0 && setPlan.size > 0 && !request.set && !request.setInputs ? await keptItems(request.inputs) : undefined;
    const set = request.set
      ? { projections: request.set, errors: [] }
      : await readProjections(setPlan, kept ?? items(request.setInputs ?? request.inputs));
    const whole = wholeness(request, set.errors);
    const plan = planOf(catalogue, rules, request, clock, {
      projections: set.projections,
      complete: whole.complete,
      collectKeys: request.onBaselineKeys !== undefined,
      collectIdentities: request.onCounted !== undefined,
      ...(request.unchanged && { unchanged: request.unchanged }),
    });
    const errors: InputError[] = [...(request.inputErrors ?? [])];
    const skipped = new SkippedFiles();
    const undecided = new UndecidedLog();
    let documents = 0;
    let counts = newCounts();
    const take = (parts: readonly Counts[]) => {
      counts = sumCounts(parts);
    };
    for await (const evaluated of evaluateBatches(batches(kept ?? items(request.inputs, { last: true })), plan, catalogue, workers, take)) {
      for (const error of evaluated.errors) errors.push(error);
      skipped.add(evaluated.skipped);
      undecided.add(evaluated.undecided);
      documents += evaluated.documents;
      request.onProgress?.(documents);
      request.onBaselineKeys?.(evaluated.keys);
      if (evaluated.batch.count > 0) yield { type: 'findings', batch: evaluated.batch };
    }
    const late = request.lateErrors?.() ?? [];
    const given = [...(request.inputNotes ?? []), ...whole.notes, ...skipped.notes(), ...notes];
    const refused = request.failOnSkipped ? given.filter(({ code }) => HIDING.has(code)) : [];
    const told = toldOf(undecided, request.undecided);
    errors.push(...late, ...refused.map(skippedError), ...told.errors);
    counts.tally.found += (request.inputErrors?.length ?? 0) + late.length + refused.length;
    if (counts.tally.resources === 0 && errors.length === 0 && !request.unchanged) errors.push(...nothingFound(request.inputs));
    request.onCounted?.(counts.tally, counts.identities ?? []);
    const summary = summaryOf(rules, counts, errors, told.summary);
    // Loaded only on request: other runs do not need the lists of controls.
    const compliance = request.includeCompliance ? (await import('./compliance-of.js')).complianceOf : undefined;
    yield {
      type: 'end',
      errors,
      notes: given.filter((note) => !refused.includes(note)),
      ...(told.checks && { undecided: told.checks }),
      score: scoreOf(counts.tally, rules),
      summary,
      ...((compliance || told.truncated) && {
        more: {
          ...(compliance && { compliance: compliance(catalogue, rules, counts, summary, request.filter) }),
          ...(told.truncated && { truncated: told.truncated }),
        },
      }),
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

/** Inputs of known size that are smaller than this together are read once, and kept while they are looked at twice. */
const MOST_KEPT_BYTES = 1_000_000;

/** All items of inputs that are small, else undefined. */
async function keptItems(inputs: readonly AnyInput[]): Promise<Item[] | undefined> {
  if (!inputs.every((input) => isValueInput(input) || sizeOf(input) > 0)) return undefined;
  if (inputs.reduce((sum, input) => sum + sizeOf(input), 0) > MOST_KEPT_BYTES) return undefined;
  return Array.fromAsync(items(inputs, { last: true }));
}

/** A file that was read without an error and held no resource is a mistake of the caller's; an empty list of objects is not. */
function nothingFound(inputs: readonly AnyInput[]): InputError[] {
  const first = inputs.find((input) => 'open' in input);
  if (!first) return [];
  const message =
    'No Kubernetes objects were found: no document has apiVersion and kind. Pass the files or the folder that contain the manifests.';
  return [{ code: 'no-manifests', message, location: { file: first.file, line: 1, column: 1 } }];
}

/** An input smaller than this is evaluated before a worker thread has started. */
const BYTES_WORTH_A_THREAD = 1_500_000;

function worthThreads(inputs: readonly AnyInput[]): number {
  const bytes = inputs.reduce((sum, input) => sum + sizeOf(input), 0);
  return Math.min(availableParallelism(), 8, Math.ceil(bytes / BYTES_WORTH_A_THREAD));
}
