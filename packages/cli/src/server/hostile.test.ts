import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRIVILEGED_POD, type TestServices, testServices } from './services.test-support.js';
import { type StartedServer, startServer } from './start-server.js';

const CANARY = 'c4nary7f3a';

let fixture: TestServices;
let server: StartedServer;

beforeAll(async () => {
  fixture = await testServices('log: {level: error}');
  server = await startServer({ services: fixture.services, plugins: [], version: '1', port: 0, threads: 1 });
});

afterAll(async () => {
  await server.close();
  await fixture.remove();
});

const value = fc.jsonValue({ depthSize: 'medium' });
const word = fc.constantFrom(CANARY, 'CS', 'CS-001', 'HIGH', 'PSS', '__proto__', '', '\0', 'Pod', 'v1', '2026-13-99');
const object = fc.dictionary(
  fc.oneof(word, fc.constantFrom('apiVersion', 'kind', 'metadata', 'spec', 'containers', 'items')),
  fc.oneof(value, word),
);
const input = fc.oneof(
  fc.record({ content: fc.oneof(fc.constant(PRIVILEGED_POD), fc.string(), word) }),
  fc.record({
    manifests: fc.array(fc.oneof(object, fc.constant({ apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: CANARY }] } }))),
  }),
  fc.record({ files: fc.array(fc.record({ path: fc.oneof(word, fc.string()), content: fc.string() })) }),
  value,
);
const filters = fc.record(
  {
    rules: fc.oneof(fc.array(word), value),
    categories: fc.oneof(fc.array(word), value),
    severities: fc.oneof(fc.array(word), value),
    frameworks: fc.oneof(fc.array(word), value),
    exceptions: fc.oneof(fc.array(fc.dictionary(fc.constantFrom('rule', 'reason', 'expires', 'name', CANARY), word)), value),
    packs: fc.oneof(fc.dictionary(word, value), value),
    include_passed: fc.oneof(fc.boolean(), word),
    [CANARY]: value,
  },
  { requiredKeys: [] },
);
const evaluate = fc.tuple(input, filters).map(([what, how]) => ({ path: '/api/v1/evaluate', body: merged(what, how) }));
const validate = fc
  .tuple(input, input, filters)
  .map(([current, proposed, how]) => ({ path: '/api/v1/validate', body: { current, proposed, ...how } }));

function merged(what: unknown, how: object): unknown {
  return typeof what === 'object' && what !== null && !Array.isArray(what) ? { ...what, ...how } : what;
}

describe('arbitrary requests', () => {
  it('to evaluate something never get a 5xx, and a refusal does not reveal what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(evaluate, validate), async ({ path, body }) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
        const text = await response.text();
        expect(response.status, text).toBeLessThan(500);
        if (!response.ok) expect(text).not.toContain(CANARY);
      }),
      { numRuns: 1000 },
    );
  });

  it('to the catalogue never get a 5xx, and a refusal does not reveal what was sent', async () => {
    const name = fc.oneof(fc.constantFrom('category', 'severity', 'search', 'framework', 'limit', 'offset', CANARY), fc.string());
    const query = fc
      .array(fc.tuple(name, fc.oneof(word, fc.string(), fc.integer().map(String))))
      .map((pairs) => new URLSearchParams(pairs).toString());
    const path = fc.constantFrom(
      '/api/v1/rules',
      '/api/v1/compliance',
      '/api/v1/health',
      '/openapi.json',
      `/api/v1/rules/${CANARY}`,
      '/api/v1/rules/__proto__',
    );
    await fc.assert(
      fc.asyncProperty(path, query, async (target, text) => {
        const response = await fetch(`${server.url}${target}?${text}`);
        const answer = await response.text();
        expect(response.status, answer).toBeLessThan(500);
        if (!response.ok) expect(answer).not.toContain(CANARY);
      }),
      { numRuns: 1000 },
    );
  });
});
