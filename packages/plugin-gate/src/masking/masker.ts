import type { ProblemError } from '@bylaw/core/http';
import { isJsonObject, type Json, type JsonObject } from '../json/index.js';
import type { Envelope } from '../proposal/index.js';
import { maskValue, type Rules } from './mask-value.js';
import type { MaskingRules } from './masking-rules.js';
import { nameRules } from './name-rules.js';
import { below, pointerRules } from './pointer-rules.js';
import { valueRules } from './value-rules.js';

/**
 * Takes secrets out of what is recorded, digested or answered. Masking what is masked changes nothing; what holds no secret
 * is given back as it is, not copied. Never depends on the order of members.
 */
export interface Masker {
  /** Masks a value whose names are all the caller's, and result reports. */
  mask(value: Json): Json;
  /** Masks a submission: by their names only members of parameters and context, by their form all texts. */
  maskSubmission(envelope: Envelope): MaskedSubmission;
  /** The members that must stay as they are and hold a secret; paths start at the proposal. Such a submission is refused. */
  refusals(envelope: Envelope): ProblemError[];
}

export interface MaskedSubmission {
  proposal: JsonObject;
  budget: JsonObject | null;
  mandate: JsonObject | null;
}

/**
 * The built-in set `mask/1`, and what a bundle adds to it.
 * @throws {CelError} when a pattern is not RE2; `maskingBreaches` says so beforehand
 */
export function createMasker(extra: MaskingRules = {}): Masker {
  const byValue = valueRules(extra.values);
  const rules: Rules = { byValue, byName: nameRules(byValue, extra.names), byPointer: pointerRules(extra.pointers) };
  const unplaced = { ...rules, byPointer: undefined };
  const submitted = (value: object, places: Places, placed: Rules) =>
    untilStable(asJson(value), (object) => maskNamed(object, places, placed, ''));
  return {
    mask: (value) => untilStable(value, (any) => maskValue(any, rules, '')),
    maskSubmission: ({ proposal, budget, mandate }) => ({
      proposal: submitted(proposal, PROPOSAL, rules),
      budget: budget ? submitted(budget, BUDGET, unplaced) : null,
      mandate: mandate ? submitted(mandate, MANDATE, unplaced) : null,
    }),
    refusals: ({ proposal: { id, principal, action } }) =>
      [
        { path: '/id', text: id },
        { path: '/principal/id', text: principal.id },
        { path: '/action/type', text: action.type },
      ]
        .filter(({ text }) => byValue(text) !== text)
        .map(({ path }) => ({ path, message: 'looks like a secret' })),
  };
}

/**
 * What is beside a secret, or has its name from one, may be known as a secret only when that is gone: again until
 * nothing changes. What does not change is the same object, so that without secrets one round is all.
 */
function untilStable<Value extends Json>(value: Value, once: (value: Value) => Value): Value {
  let masked = value;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const again = once(masked);
    if (again === masked) break;
    masked = again;
  }
  return masked;
}

/** Far more than ever needed. */
const MAX_ROUNDS = 16;

/** By the names of our schema: `open`, from where on the names are the caller's; `kept`, what is never masked. */
interface Places {
  readonly [name: string]: Places | 'open' | 'kept';
}

const PROPOSAL: Places = { action: { parameters: 'open' }, context: 'open' };
const BUDGET: Places = {};
/** A signature is 64 random bytes: by chance, it may look like anything. */
const MANDATE: Places = { sig: 'kept' };
const NO_PLACES: Places = {};

/** Everything in a submission was read from JSON. */
function asJson(value: object): JsonObject {
  return value as JsonObject;
}

function maskNamed(object: JsonObject, places: Places, rules: Rules, pointer: string): JsonObject {
  let copy: { [name: string]: Json } | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const masked = maskMember(value, places[name], rules, rules.byPointer ? below(pointer, name) : '');
    if (masked === value) continue;
    copy ??= { ...object };
    copy[name] = masked;
  }
  return copy ?? object;
}

function maskMember(value: Json, place: Places[string] | undefined, rules: Rules, pointer: string): Json {
  if (place === 'kept') return value;
  // Lists in a submission hold texts only: the globs of a mandate.
  if (place === 'open' || !isJsonObject(value)) return maskValue(value, rules, pointer);
  return maskNamed(value, place ?? NO_PLACES, rules, pointer);
}
