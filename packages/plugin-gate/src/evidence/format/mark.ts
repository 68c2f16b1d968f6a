import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';

/**
 * The format of a chain. Chains of format 1 were written by versions that could record a second final result and could not
 * prove an erasure. A chain is of format 2 from its genesis record (`format: 2`), or from a mark: signed records that list the
 * faults before them. A listed fault is a finding; any other fails.
 */
export type Format = 1 | 2;
export const CURRENT_FORMAT = 2;

export const FAULT_KINDS = ['second-final', 'unexplained-erasure'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A record that breaks a rule of the chain as a whole. */
export interface Fault {
  kind: FaultKind;
  seq: number;
}

/** One part of a mark. The format is in force after the last part. */
export interface MarkPart {
  /** From 1. */
  part: number;
  parts: number;
  faults: Fault[];
}

/** `data.action` of the records of a mark. */
export const MARK_ACTION = 'store.format';
/** Faults of one record. */
export const MAX_FAULTS = 1000;

/** The data of the records that mark a chain as format 2: one for each 1,000 faults, and at least one. They follow each other directly. */
export function markData(faults: readonly Fault[]): JsonObject[] {
  const parts = Math.max(1, Math.ceil(faults.length / MAX_FAULTS));
  return Array.from({ length: parts }, (_, at) => ({
    action: MARK_ACTION,
    format: CURRENT_FORMAT,
    from_format: 1,
    part: at + 1,
    parts,
    faults: faults.slice(at * MAX_FAULTS, (at + 1) * MAX_FAULTS).map(({ kind, seq }) => ({ kind, seq })),
  }));
}

/**
 * @param data of an `admin_action` record
 * @param seq number of that record: a mark speaks only of what is before it
 * @returns undefined when the record is not a mark; `malformed` when it says that it is one and is not
 */
export function readMark(data: Json, seq: number): MarkPart | 'malformed' | undefined {
  if (!isJsonObject(data) || data['action'] !== MARK_ACTION) return undefined;
  const { format, from_format: from, part, parts, faults: listed } = data;
  if (format !== CURRENT_FORMAT || from !== 1 || !isCount(part) || !isCount(parts) || part > parts) return 'malformed';
  if (!Array.isArray(listed) || listed.length > MAX_FAULTS) return 'malformed';
  const faults = (listed as readonly Json[]).flatMap((fault) => readFault(fault, seq) ?? []);
  return faults.length === listed.length ? { part, parts, faults } : 'malformed';
}

function readFault(fault: Json, before: number): Fault | undefined {
  if (!isJsonObject(fault)) return undefined;
  const kind = FAULT_KINDS.find((known) => known === fault['kind']);
  const seq = fault['seq'];
  if (kind === undefined || typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0 || seq >= before) return undefined;
  return { kind, seq };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
