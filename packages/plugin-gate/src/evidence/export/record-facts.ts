import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
import type { RecordType } from '../record.js';

/** What a record says in members that people filter and count by. Each is there only for the types that have it, and only unless erased. */
export interface RecordFacts {
  proposalId?: string;
  principal?: string;
  agent?: string;
  actionType?: string;
  resource?: string;
  environment?: string;
  decision?: string;
  enforced?: boolean;
  effectiveDecision?: string;
  approvalId?: string;
  resultStatus?: string;
  contradictsVerdict?: boolean;
  bundleDigest?: string;
  /** Of a result: number of the verdict that it belongs to. */
  verdictSeq?: number;
  /** Of a verdict: policies whose condition held. */
  policies?: string[];
}

/** @param data of the record, parsed; null when it is erased */
export function recordFacts(type: RecordType, data: Json): RecordFacts {
  if (!isJsonObject(data)) return {};
  switch (type) {
    case 'proposal':
      return ofProposal(member(data, 'proposal'));
    case 'verdict':
      return ofVerdict(data);
    case 'approval':
      return facts({ approvalId: text(data['approval_id']) });
    case 'result':
      return facts({
        proposalId: text(data['proposal_id']),
        resultStatus: text(data['status']),
        contradictsVerdict: flag(data['contradicts_verdict']),
        verdictSeq: typeof data['verdict_seq'] === 'number' ? data['verdict_seq'] : undefined,
      });
    default:
      return {};
  }
}

function ofProposal(proposal: JsonObject): RecordFacts {
  const action = member(proposal, 'action');
  return facts({
    proposalId: text(proposal['id']),
    principal: text(member(proposal, 'principal')['id']),
    agent: text(member(proposal, 'agent')['id']),
    actionType: text(action['type']),
    resource: text(action['resource']),
    environment: text(proposal['environment']),
  });
}

function ofVerdict(data: JsonObject): RecordFacts {
  const verdict = member(data, 'verdict');
  const matched = verdict['matched_policies'];
  const policies = (Array.isArray(matched) ? (matched as readonly Json[]) : []).map((policy) => isJsonObject(policy) && policy['id']);
  return facts({
    proposalId: text(data['proposal_id']),
    decision: text(verdict['decision']),
    enforced: flag(data['enforced']),
    effectiveDecision: text(data['effective_decision']),
    approvalId: text(data['approval']),
    bundleDigest: text(member(verdict, 'bundle')['digest']),
    policies: policies.filter((id) => typeof id === 'string'),
  });
}

/** Leaves out what is undefined. */
function facts(given: { [K in keyof RecordFacts]: RecordFacts[K] | undefined }): RecordFacts {
  const facts: { [name: string]: unknown } = {};
  for (const name in given) if (given[name as keyof RecordFacts] !== undefined) facts[name] = given[name as keyof RecordFacts];
  return facts;
}

/** A member that should be an object; without members when it is not one. */
function member(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function flag(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
