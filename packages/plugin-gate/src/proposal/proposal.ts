import type { JsonObject } from '../json/index.js';

/** What an adapter wants to do. The schema, `action-proposal.schema.ts`, says which values each member takes. */
export interface ActionProposal {
  /** Single use, for ever. */
  id: string;
  principal: { id: string; type?: 'human' | 'service' | 'agent' };
  agent?: { id: string; name?: string; version?: string; model?: string; session_id?: string };
  /** Must be the adapter that submits it. */
  adapter?: string;
  /** Absent means advisory. */
  enforcement?: AdapterClass;
  action: Action;
  environment: string;
  justification?: string;
  /** RFC 3339, UTC, milliseconds. */
  requested_at?: string;
  context?: { readonly [name: string]: string | number | boolean | null };
  parent_id?: string;
}

/** Whether the action can go around the adapter (advisory) or not (enforcing). */
export type AdapterClass = 'enforcing' | 'advisory';

export interface Action {
  type: string;
  resource: string;
  parameters?: JsonObject;
  cost?: Cost;
  reversible?: boolean;
  summary?: string;
}

/** Integer minor units: `{ unit: 'USD.cents', amount: 1250 }`. */
export interface Cost {
  unit: string;
  amount: number;
}

/** What the caller says of a budget, in integer minor units. The gate keeps no counters. */
export interface BudgetState {
  budget_id: string;
  unit: string;
  limit: number;
  spent: number;
  reserved?: number;
  period_start: string;
  period_end: string;
  as_of: string;
}

/** A signed statement that a delegate may act for a subject, within a scope and limits. */
export interface Mandate {
  v: 'svc-mandate/1';
  mandate_id: string;
  issuer: string;
  key_id: string;
  subject: string;
  delegate: string;
  scope: { actions: string[]; resources: string[]; environments: string[]; adapters?: string[] };
  limits: { max_cost?: Cost; reversible_only?: boolean };
  not_before: string;
  expires_at: string;
  purpose?: string;
  /** Ed25519 over `svc-mandate/1\n` and the canonical text of all other members, base64url. */
  sig: string;
}

/** A proposal with what it is evaluated by: the body of a request, or the input of `check`. */
export interface Envelope {
  proposal: ActionProposal;
  budget?: BudgetState;
  mandate?: Mandate;
}

/** What happened when the action ran. */
export interface ResultReport {
  status: ResultStatus;
  started_at?: string;
  finished_at?: string;
  exit_code?: number;
  message?: string;
  /** `sha256:` and 64 hexadecimal digits. */
  output_digest?: string;
  resource_after?: string;
  metrics?: { readonly [name: string]: number };
}

export const RESULT_STATUSES = ['ok', 'error', 'skipped', 'timeout', 'deferred'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Statuses that say that the action ran. */
export const RAN_STATUSES: ReadonlySet<string> = new Set<ResultStatus>(['ok', 'error', 'timeout']);
