import type { Clock } from '../clock.js';
import { BylawError, isSelectionError, type SelectionErrorCode } from '../errors.js';
import {
  type Comparison,
  compareConfigurations,
  createEngine,
  type EvaluationEvent,
  limitComparison,
  limitEvents,
  type NamedComparer,
} from '../evaluate/index.js';
import { json } from '../report/formats/json.js';
import type { Output } from '../report/reporter.js';
import { type RequestBreach, type RequestCheck, requestCheck } from '../request-check.js';
import type { GroupReader } from '../resource/index.js';
import { checkSettings } from '../rule/compiler.js';
import type { Catalogue } from '../rule/index.js';
import { type Place, placeWith } from '../workload/index.js';
import { DEFAULT_LIMIT, EVALUATE_BODY_SCHEMA, type EvaluateBody, VALIDATE_BODY_SCHEMA, type ValidateBody } from './bodies.js';
import { evaluationOf, filtersOf, inputsOf, type RequestDefaults } from './request.js';

/** What a request is answered: the text of a JSON document, or the kind of problem, see the table of `http/problems.ts`. */
export type Answer = { body: string } | Refusal;

export interface Refusal {
  problem: { code: 'invalid-json' | 'schema' | SelectionErrorCode; detail?: string; errors?: readonly RequestBreach[] };
}

export type Operation = 'evaluate' | 'validate';

export interface AnswerContext {
  catalogue: Catalogue;
  clock: Clock;
  defaults: RequestDefaults;
  /** What plugins add to comparisons, and where configurations run unless a request says it. */
  comparers?: readonly NamedComparer[];
  place?: Place;
  /** What reads files together. */
  readers?: readonly GroupReader[];
}

/** Answers the body of a request. Pure but for the clock, which only tells whether an exception has expired. */
export async function answer(operation: Operation, body: Uint8Array | string, context: AnswerContext): Promise<Answer> {
  const chunks: string[] = [];
  const refusal = await writeAnswer(operation, body, context, { write: (chunk) => void chunks.push(chunk) });
  return refusal ?? { body: chunks.join('') };
}

/**
 * The same, written in pieces.
 * @returns why there is no answer; nothing has been written then
 */
export async function writeAnswer(
  operation: Operation,
  body: Uint8Array | string,
  context: AnswerContext,
  out: Output,
): Promise<Refusal | undefined> {
  const parsed = parse(body);
  if (parsed === undefined) return { problem: { code: 'invalid-json', detail: 'The body must be one JSON value in UTF-8.' } };
  const errors = [...check(operation)(parsed.value), ...packBreaches(parsed.value, context.catalogue)];
  if (errors.length > 0) return { problem: { code: 'schema', errors } };
  try {
    // The schema has just said that the value has this form.
    await (operation === 'evaluate'
      ? writeEvaluation(parsed.value as EvaluateBody, context, out)
      : writeValidation(parsed.value as ValidateBody, context, out));
    return undefined;
  } catch (error) {
    if (error instanceof BylawError && isSelectionError(error.code))
      return { problem: { code: error.code, ...(error.hint !== undefined && { detail: error.hint }) } };
    throw error;
  }
}

/** The text of a comparison: the same bytes for every door. */
export function comparisonText(comparison: Comparison): string {
  return [...comparisonPieces(comparison)].join('');
}

/** The text of a report: the same bytes for every door. */
export async function reportText(events: AsyncIterable<EvaluationEvent>): Promise<string> {
  const chunks: string[] = [];
  await writeReport(events, { write: (chunk) => void chunks.push(chunk) });
  return chunks.join('');
}

function writeReport(events: AsyncIterable<EvaluationEvent>, out: Output): Promise<void> {
  return json(events, out, { version: '', rules: [], colour: false, width: 80, verbose: true });
}

function writeEvaluation(body: EvaluateBody, context: AnswerContext, out: Output): Promise<void> {
  const { limit = DEFAULT_LIMIT } = body;
  const events = createEngine(context).evaluate(evaluationOf(body, context.defaults, context.readers));
  return writeReport(limit === 0 ? events : limitEvents(events, limit), out);
}

async function writeValidation(body: ValidateBody, context: AnswerContext, out: Output): Promise<void> {
  const { limit = DEFAULT_LIMIT } = body;
  const request = {
    ...filtersOf(body, context.defaults),
    current: {
      inputs: inputsOf(body.current, context.readers),
      inputErrors: body.current.input_errors ?? [],
      inputNotes: body.current.input_notes ?? [],
    },
    proposed: {
      inputs: inputsOf(body.proposed, context.readers),
      inputErrors: body.proposed.input_errors ?? [],
      inputNotes: body.proposed.input_notes ?? [],
    },
    place: placeWith(body.place ?? {}, context.place ?? {}),
  };
  const comparison = await compareConfigurations(context.catalogue, request, context.clock, context.comparers);
  for (const piece of comparisonPieces(limit === 0 ? comparison : limitComparison(comparison, limit))) await out.write(piece);
}

/** The text of a comparison in pieces: lists entry by entry, because the whole may be longer than a text can be. */
function* comparisonPieces(comparison: Comparison): Generator<string> {
  let before = '{';
  for (const [member, value] of Object.entries(comparison)) {
    yield `${before}${JSON.stringify(member)}:`;
    before = ',';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield '}\n';
}

function* listPieces(entries: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',';
  }
  yield entries.length === 0 ? '[]' : ']';
}

function parse(body: Uint8Array | string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

const checks = new Map<Operation, RequestCheck>();

function check(operation: Operation): RequestCheck {
  let compiled = checks.get(operation);
  if (!compiled) {
    const schema = operation === 'evaluate' ? EVALUATE_BODY_SCHEMA : VALIDATE_BODY_SCHEMA;
    const members = requestCheck(withoutForms(schema));
    const whole = requestCheck(schema);
    // Members first: which one is not allowed says more than that no form fits.
    compiled = (value) => firstBreaches(members(value), () => whole(value));
    checks.set(operation, compiled);
  }
  return compiled;
}

function firstBreaches(breaches: RequestBreach[], next: () => RequestBreach[]): RequestBreach[] {
  return breaches.length > 0 ? breaches : next();
}

/** The same schema, but for which members must be there together. */
function withoutForms(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'oneOf' ? undefined : value))) as object; // an object still
}

/** What is wrong with the settings of packs in a request that has passed its schema. */
export function packBreaches(body: unknown, catalogue: Catalogue): RequestBreach[] {
  const packs = body !== null && typeof body === 'object' && 'packs' in body ? body.packs : undefined;
  if (packs === null || typeof packs !== 'object') return [];
  const breaches = checkSettings(catalogue, packs as { [pack: string]: unknown }); // an object, as just seen
  return breaches.map(({ path }) => ({ path: `/packs/${path[0] ?? '*'}`, message: 'does not match the settings schema of the pack' }));
}
