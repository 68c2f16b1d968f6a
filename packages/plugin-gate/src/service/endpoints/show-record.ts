import type { HttpRequest, HttpResponse } from '@bylaw/core/http';
import { recordLine, type StoredRecord } from '../../evidence/index.js';
import type { Gate } from '../gate/gate.js';
import { gateProblem } from '../http/problems.js';
import { orUnavailable } from '../http/unavailable.js';

/** How long to wait for a record that is known and not in the chain yet, and how often to look, in milliseconds. */
const WAIT_MS = 2000;
const LOOK_MS = 50;

/** GET /v1/evidence/by-ref/{ref}: the record that a reference names, byte for byte as it is exported. */
export async function showRecord(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  gate.authenticator.authenticate(request, request.body);
  const ref = request.params.ref ?? '';
  const record = REF.test(ref) ? await find(gate, ref, request.signal) : undefined;
  if (record === 'pending')
    throw gateProblem('AG-EVD-006', {
      detail: 'The record is stored, but has no number in the chain yet.',
      headers: { 'Retry-After': '1' },
    });
  if (record === undefined) throw gateProblem('AG-EVD-003', { detail: 'No record has this reference.' });
  return { status: 200, body: `${recordLine(record)}\n` };
}

/** A number in the chain, or what the deferred storage gives out before there is one. */
const REF = /^(?:0|[1-9][0-9]{0,15}|ob_[0-9A-HJKMNP-TV-Z]{26})$/;

async function find({ store, monotonicNow }: Gate, ref: string, signal: AbortSignal): Promise<StoredRecord | 'pending' | undefined> {
  const end = monotonicNow() + WAIT_MS;
  for (;;) {
    const record = await orUnavailable(store.record(ref));
    if (record !== 'pending' || signal.aborted || monotonicNow() >= end) return record;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
