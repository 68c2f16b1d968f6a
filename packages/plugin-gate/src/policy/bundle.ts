import type { KeyObject } from 'node:crypto';
import type { Program } from '@bylaw/core/cel';
import { BylawError, type Location } from '@bylaw/core/errors';
import type { JsonObject } from '../json/index.js';
import type { Masker } from '../masking/index.js';
import type { Matcher } from './match.js';

export const EFFECTS = ['allow', 'deny', 'require_approval'] as const;
/** What a policy does to a proposal that it matches. */
export type Effect = (typeof EFFECTS)[number];

/** What an approval needs. */
export interface ApprovalNeed {
  /** Each must approve. */
  groups: string[];
  /** Distinct approvers per group. */
  quorum: number;
  ttl_seconds: number;
  grant_ttl_seconds: number;
}

/** A policy bundle, ready to evaluate: every file checked, every expression and glob compiled. It never changes. */
export interface Bundle {
  readonly id: string;
  readonly version: string;
  /** `sha256:` over the digests of all its files. */
  readonly digest: string;
  /** What is decided of a proposal that no policy matches. */
  readonly default: Effect;
  /** What an approval needs that no policy asked for: of `default`, or of an exceeded budget. */
  readonly approval: ApprovalNeed | null;
  readonly budget: { readonly maxAgeSeconds: number; readonly onExceed: 'deny' | 'require_approval' };
  readonly mandate: { readonly maxLifetimeHours: number };
  readonly trust: Trust;
  /** Active and draft, sorted by id. */
  readonly policies: readonly Policy[];
  /** The policies that may concern an action type, sorted by id: all others cannot match it. */
  readonly candidates: (actionType: string) => readonly Policy[];
  readonly masker: Masker;
  readonly tests: readonly BundleTest[];
}

export interface Policy {
  readonly id: string;
  readonly title: string;
  /** Controls of a framework that it implements, as written. */
  readonly controls: readonly string[];
  readonly stage: 'active' | 'draft';
  readonly match: Matcher;
  /** Absent: holds for every proposal that the globs match. */
  readonly when: Program | undefined;
  readonly effect: Effect;
  /** The proposal must come with a valid mandate, else the policy denies. */
  readonly requiresMandate: boolean;
  /** Null unless the effect is `require_approval`. */
  readonly approval: ApprovalNeed | null;
  /** Types of what is to be done in addition. */
  readonly obligations: readonly string[];
  /** Static text: no input can reach it. */
  readonly message: string;
  readonly location: Location;
}

/** Whom the bundle trusts to issue mandates, and what it no longer trusts. */
export interface Trust {
  /** By issuer, then key id. */
  readonly issuers: ReadonlyMap<string, ReadonlyMap<string, KeyObject>>;
  readonly isRevoked: (mandate: { issuer: string; key_id: string; mandate_id: string }) => boolean;
}

/** A test that a bundle ships. */
export interface BundleTest {
  readonly name: string;
  /** A bare proposal or an envelope. */
  readonly input: JsonObject;
  /** Evaluation instant where the proposal names none. */
  readonly at: string;
  /** What the rule engine is to say of the manifests. */
  readonly governance:
    | {
        readonly score: number | null;
        readonly findings: readonly JsonObject[];
        readonly unchecked: number;
        readonly unchecked_kinds: readonly JsonObject[];
        readonly incomplete: boolean;
      }
    | undefined;
  readonly expect: {
    readonly decision: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL';
    /** Identifiers of the active policies that match, in any order. */
    readonly policies?: readonly string[];
    /** Of the draft policies. */
    readonly drafts?: readonly string[];
    /** Codes, in any order. */
    readonly reasons?: readonly string[];
    /** Identifiers, in any order. */
    readonly obligations?: readonly string[];
  };
  readonly location: Location;
}

/** Something wrong with a bundle. `AG-POL-001`: it has errors; `AG-POL-002`: there is none. */
export interface BundleError {
  code: 'AG-POL-001' | 'AG-POL-002';
  message: string;
  location?: Location;
}

/** A bundle that has errors. */
export const POLICY_ERROR = { code: 'AG-POL-001', exit: 3 } as const;

export function policyError(message: string, location?: Location): BundleError {
  return { code: POLICY_ERROR.code, message, ...(location && { location }) };
}

/** Errors of core's readers as errors of the bundle. Others are defects. */
export function asBundleError(error: unknown): BundleError {
  if (!(error instanceof BylawError)) throw error;
  return policyError(error.hint === undefined ? error.message : `${error.message} ${error.hint}`, error.location);
}
