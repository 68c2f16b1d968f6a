import { canonical, type Writable } from '../json/index.js';
import type { Bundle } from '../policy/index.js';
import type { Applied } from './apply.js';
import { type Combined, combine } from './combine.js';
import type { BudgetRuling } from './mandate/budget.js';
import type { MandateRuling } from './mandate/mandate.js';
import type { Verdict } from './verdict.js';

/** What `combine` says, with what it makes of the canonical text of a verdict. Frozen: verdicts share it. */
export interface WrittenCombined {
  combined: Combined;
  /** Of `approval`, without its name. */
  approval: string;
  /** From `bundle` to `engine`. */
  middle: string;
  /** From `matched_policies` to the end. */
  end: string;
}

/** What was combined before, by bundle. */
const known = new WeakMap<Bundle, Map<string, WrittenCombined>>();

/** Outcomes that are kept for a bundle. Most bundles have few; whoever finds many ways through one has the memory start anew. */
const MOST_KNOWN = 1000;

/**
 * Does what `combine` does. Its answer depends only on the bundle, on the policies that apply, and on the rulings on mandate and
 * budget. If these have no reasons of their own, the same policies get the same answer, which is written once.
 */
export function combineAndWrite(
  bundle: Bundle,
  applied: readonly Applied[],
  mandate: MandateRuling,
  budget: BudgetRuling,
): WrittenCombined {
  if (mandate.reasons.length > 0 || budget.reasons.length > 0) return writtenCombined(bundle, combine(bundle, applied, mandate, budget));
  const outcomes = known.get(bundle) ?? new Map<string, WrittenCombined>();
  known.set(bundle, outcomes);
  const key = keyOf(applied, mandate);
  const before = outcomes.get(key);
  if (before !== undefined) return before;
  const made = writtenCombined(bundle, combine(bundle, applied, mandate, budget));
  if (outcomes.size === MOST_KNOWN) outcomes.clear();
  outcomes.set(key, made);
  return made;
}

/** The canonical text of a verdict (`verdictText`), of which parts are written already. */
export function verdictTextOf({ approval, middle, end }: WrittenCombined, { budget, governance, input_digest, mandate }: Verdict): string {
  return (
    `{"approval":${approval},"budget":${canonicalOf(budget)},${middle},"governance":${canonicalOf(governance)},` +
    `"input_digest":"${input_digest}","mandate":${canonicalOf(mandate)},${end}`
  );
}

/** Identifiers of policies hold no line feed. */
function keyOf(applied: readonly Applied[], { status }: MandateRuling): string {
  let key: string = status;
  for (const { policy, held } of applied) key += held === true ? `\n${policy.id}` : `\n ${policy.id}`;
  return key;
}

function writtenCombined({ id, version, digest }: Bundle, combined: Combined): WrittenCombined {
  const { approval, decision, draft_matches, matched_policies, obligations, reasons } = combined;
  const text = (members: object) => canonicalOf(members).slice(1, -1);
  return {
    combined: frozen(combined),
    approval: canonicalOf(approval),
    middle: text({ bundle: { id, version, digest }, decision, draft_matches, engine: 'svc-check/1' }),
    end: `${text({ matched_policies, obligations, reasons })}}`,
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** Members of a verdict hold plain data. */
function canonicalOf(member: object | null): string {
  return member === null ? 'null' : canonical(member as Writable);
}
