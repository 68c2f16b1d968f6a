import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { expect } from 'vitest';
import { signRequest } from '../../auth/index.js';
import { proposal } from './gate-folder.test-support.js';
import { type GateServer, SECRET } from './gate-server.test-support.js';

interface Malformed {
  method: string;
  target: string;
  headers: { [name: string]: string };
  body: string;
  signed: boolean;
}

/**
 * Sends requests that are wrong in one place at least, with a text of their own planted in names, values, headers and query,
 * and fails when one is answered with a 5xx, gets its text back, or leaves a record.
 */
export async function sendMalformed(server: GateServer, requests: number): Promise<void> {
  const before = await server.gate.store.head();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  try {
    await fc.assert(
      fc.asyncProperty(malformed, async ([canary, sent]) => {
        const { status, text } = await exchange(server, agent, sent);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        expect(text.toLowerCase()).not.toContain(canary);
      }),
      { numRuns: requests },
    );
  } finally {
    agent.destroy();
  }
  expect((await server.gate.store.head())?.seq).toBe(before?.seq);
}

const HEX = fc.constantFrom(...'0123456789abcdef');
const canaries = fc.array(HEX, { minLength: 16, maxLength: 16 }).map((digits) => digits.join(''));

const malformed = canaries.chain((canary) => fc.tuple(fc.constant(canary), requestsWith(canary)));

function requestsWith(canary: string): fc.Arbitrary<Malformed> {
  const target = fc.constantFrom(
    ...['/v1/proposals', '/v1/proposals', '/v1/proposals', `/v1/proposals/${canary}`, `/v1/proposals/${canary}/result`],
    ...[
      '/v1/evidence',
      `/v1/evidence/by-ref/${canary}`,
      '/v1/status',
      '/healthz',
      '/readyz',
      `/v1/${canary}`,
      `/${canary}`,
      `/v1/%2f${canary}`,
    ],
  );
  const query = fc.constantFrom(
    '',
    '',
    `?${canary}=1`,
    `?from=${canary}`,
    `?format=${canary}`,
    `?type=${canary}&type=verdict`,
    '?format=oscal&type=verdict',
  );
  const headers = fc.constantFrom<{ [name: string]: string }>(
    {},
    { [`X-${canary}`]: canary },
    { [`X-SVC-${canary}`]: canary },
    { 'X-SVC-Adapter-Id': canary },
    { 'X-SVC-Timestamp': canary },
    { 'X-SVC-Nonce': canary },
    { 'X-SVC-Signature': canary.padEnd(43, 'A') },
    { 'Content-Type': `application/${canary}` },
    { 'Content-Encoding': canary },
    { Accept: `text/${canary}` },
    { Host: `${canary}.test` },
  );
  return fc.record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'),
    target: fc.tuple(target, query).map((parts) => parts.join('')),
    headers,
    body: bodies(canary),
    signed: fc.boolean(),
  });
}

/** Bodies that no schema takes. */
function bodies(canary: string): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    fc.constant(canary),
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.constant({ [canary]: canary }),
    fc.constant([canary]),
  );
  const member = fc.constantFrom(
    'id',
    'principal',
    'agent',
    'adapter',
    'action',
    'environment',
    'requested_at',
    'context',
    'parent_id',
    canary,
  );
  const base = proposal(canary);
  return fc.oneof(
    fc.string().map((text) => `${text}${canary}`),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify([canary, value])),
    fc.constantFrom(
      `{"${canary}":1,"${canary}":2}`,
      `{"id":"${canary}"`,
      `{"__proto__":"${canary}"}`,
      `"\\ud800${canary}"`,
      '['.repeat(40),
    ),
    fc.tuple(member, leaf).map(([name, value]) => JSON.stringify({ ...base, [canary]: 1, [name]: value })),
    fc.tuple(member, leaf).map(([name, value]) => JSON.stringify({ proposal: { ...base, [name]: value }, [canary]: canary })),
    leaf.map((value) => JSON.stringify({ proposal: base, budget: { budget_id: value, [canary]: value } })),
    leaf.map((value) => JSON.stringify({ proposal: base, mandate: { mandate_id: value, [canary]: value } })),
    leaf.map((value) => JSON.stringify({ ...base, action: { type: value, resource: canary, [canary]: value } })),
    leaf.map((value) => JSON.stringify({ status: value, message: canary, [canary]: 1 })),
  );
}

function exchange(server: GateServer, agent: Agent, sent: Malformed): Promise<{ status: number; text: string }> {
  const { method, target, body } = sent;
  const { hostname, port } = new URL(server.url);
  const signed = sent.signed ? signRequest({ method, target, adapterId: 'ci', secret: SECRET, at: server.now(), body }) : {};
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...signed, ...sent.headers };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, method, path: target, headers }, (response) => {
      let text = JSON.stringify(response.rawHeaders);
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
