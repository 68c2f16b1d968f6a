import type { CanonicalText, Json, JsonObject } from '../json/index.js';
import type { Envelope } from '../proposal/index.js';
import type { Governance, Verdict } from './verdict.js';

/** A proposal with what it is evaluated by, and the instant at which it is evaluated if it names none itself. */
export type CheckInput = Envelope & {
  /** RFC 3339, UTC. Used where the proposal has no `requested_at`; never a part of the digest. */
  at: string;
};

export interface Checked {
  verdict: Verdict;
  /** The input with defaults filled in and secrets masked: what is digested, recorded and answered. */
  masked: { proposal: JsonObject; budget: JsonObject | null; mandate: JsonObject | null };
  /** The canonical texts of what is masked, as they were digested, and of the verdict (`verdictText`). */
  texts: { readonly [member in 'proposal' | 'budget' | 'mandate' | 'verdict']: CanonicalText };
}

/** Evaluates Kubernetes objects by the rule engine. Pure for one catalogue. */
export type ManifestEvaluator = (manifests: readonly Json[]) => Promise<{
  governance: Governance;
  /** Failed rules, as policies see them. */
  findings: readonly JsonObject[];
  /** Kinds that no rule covers, with the number of objects of each. They are texts of the caller's, so only policies see them. */
  unchecked_kinds: readonly JsonObject[];
}>;
