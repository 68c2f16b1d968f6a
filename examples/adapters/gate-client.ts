/**
 * A client of the gate in TypeScript, with nothing but Node: signs requests, submits a proposal, reports a result.
 *
 *   SVC_ADAPTER_SECRET_CI=… node gate-client.ts http://127.0.0.1:8000 ci proposal.json
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface Gate {
  url: string;
  adapterId: string;
  secret: string;
}

/** The headers that authenticate a request. `path` is without the query, `body` the exact bytes that are sent. */
function signedHeaders({ adapterId, secret }: Gate, method: string, path: string, body: string, nonce = ''): Record<string, string> {
  const timestamp = new Date().toISOString();
  const digest = createHash('sha256').update(body).digest('hex');
  const canonical = [method, path, timestamp, nonce, digest].join('\n');
  return {
    'X-SVC-Adapter-Id': adapterId,
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': createHmac('sha256', secret).update(canonical).digest('base64url'),
    ...(nonce !== '' && { 'X-SVC-Nonce': nonce }),
  };
}

/** Sends one request. Rejects when nothing was heard. */
async function call(gate: Gate, method: 'GET' | 'POST', path: string, value?: object): Promise<{ status: number; body: unknown }> {
  const body = value === undefined ? '' : JSON.stringify(value);
  const response = await fetch(gate.url + path, {
    method,
    headers: { ...signedHeaders(gate, method, path, body), ...(value && { 'Content-Type': 'application/json' }) },
    signal: AbortSignal.timeout(10_000),
    ...(value && { body }),
  });
  return { status: response.status, body: await response.json() };
}

/** Whether the action may run now. Whatever is no decision is a refusal: fail closed. */
async function mayRun(gate: Gate, proposal: { id: string }): Promise<boolean> {
  try {
    const { status, body } = await call(gate, 'POST', '/v1/proposals', proposal);
    const { code, effective_decision } = body as { code?: unknown; effective_decision?: unknown };
    // The gate does not know whether it has recorded a decision: what it has recorded tells.
    if (code === 'AG-EVD-009') return await wasAllowed(gate, proposal.id);
    // Never verdict.decision: in shadow mode the two differ.
    return (status === 200 || status === 202) && effective_decision === 'ALLOW';
  } catch {
    return false;
  }
}

/** Whether the recorded decision allows the action now. */
async function wasAllowed(gate: Gate, id: string): Promise<boolean> {
  const { status, body } = await call(gate, 'GET', `/v1/proposals/${id}`);
  return status === 200 && (body as { effective_decision_now?: unknown }).effective_decision_now === 'ALLOW';
}

const [url = '', adapterId = '', file = ''] = process.argv.slice(2);
const secret = process.env[`SVC_ADAPTER_SECRET_${adapterId.toUpperCase().replaceAll('-', '_')}`] ?? '';
const gate = { url, adapterId, secret };
const proposal = JSON.parse(readFileSync(file, 'utf8')) as { id: string };

if (await mayRun(gate, proposal)) {
  // Run the very action that was proposed here, then say what came of it.
  const { status } = await call(gate, 'POST', `/v1/proposals/${proposal.id}/result`, { status: 'ok' });
  console.log(status === 200 ? 'The action ran, and its result is recorded.' : `The result was refused: ${status}.`);
} else {
  console.error('The action must not run.');
  process.exitCode = 1;
}
