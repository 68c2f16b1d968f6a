import { canonical, type Json } from '../json/index.js';
import type { ApprovalNeed, Effect } from '../policy/index.js';

export type { ApprovalNeed, Effect };

export type Decision = 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL';

/**
 * What the gate decides of a proposal. A pure function of the input, the policy bundle and the rule catalogue: it holds no
 * time, no mode and no identifier of its own.
 */
export interface Verdict {
  decision: Decision;
  /** Sorted by code, then policy. */
  reasons: Reason[];
  /** Active policies whose condition held, by id. */
  matched_policies: { id: string; effect: Effect }[];
  /** Draft policies whose condition held, by id: they decide nothing. */
  draft_matches: { id: string; effect: Effect }[];
  /** Of the policies that won, sorted by id. */
  obligations: { type: string; id: string }[];
  /** What an approval needs; null unless the decision is REQUIRE_APPROVAL. */
  approval: ApprovalNeed | null;
  mandate: { status: 'absent' | 'valid' | 'invalid'; mandate_id?: string };
  budget: { status: 'absent' | 'within' | 'exceeded' | 'invalid'; budget_id?: string; source?: 'caller' };
  /** What the rule engine says of `action.parameters.manifests`; null where there are none. */
  governance: Governance | null;
  bundle: { id: string; version: string; digest: string };
  /** `sha256:` over the canonical text of the masked input. */
  input_digest: string;
  engine: 'svc-check/1';
}

export interface Reason {
  /** `AG-POL-…` */
  code: string;
  /** Absent where no policy gave it. */
  policy?: string;
  message: string;
}

export interface Governance {
  /** `sha256:` of the catalogue that evaluated. */
  catalogue_digest: string;
  /** 0 to 100; null where nothing was checked. A condition that compares null cannot be evaluated, and that denies. */
  score: number | null;
  /** Identifiers of the rules that failed, sorted. */
  rules: string[];
  /** Objects of kinds that no rule covers: nothing is known of them. */
  unchecked: number;
  /** Whether something could not be read or evaluated. */
  incomplete: boolean;
}

/** The canonical text of a verdict: equal verdicts have equal bytes. */
export function verdictText(verdict: Verdict): string {
  return canonical(verdict as unknown as Json); // an interface of JSON values
}
