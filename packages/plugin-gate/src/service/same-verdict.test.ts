import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json/index.js';
import { readSubmission } from '../proposal/index.js';
import { check, verdictText } from '../verdict/index.js';
import { type GateServer, sharedGateServer } from './testing/gate-server.test-support.js';

const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));
let count = 0;

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const proposals = fc
  .record(
    {
      principal: fc.record({ id: word, type: fc.constantFrom('human', 'service', 'agent') }),
      agent: fc.record({ id: word }),
      enforcement: fc.constantFrom('enforcing', 'advisory'),
      action: fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('database.table.drop', 'database.table.read'),
            fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){0,3}$/),
          ),
          resource: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
          parameters: fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word))),
          cost: fc.record({ unit: fc.constant('USD.cents'), amount: fc.nat(200) }),
        },
        { requiredKeys: ['type', 'resource'] },
      ),
      environment: fc.constantFrom('production', 'staging'),
      justification: fc.string({ maxLength: 40 }),
      context: fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean())),
    },
    { requiredKeys: ['principal', 'action', 'environment'] },
  )
  .map((parts) => ({ id: `p-${++count}`, ...parts }));
const budget = {
  budget_id: 'b',
  unit: 'USD.cents',
  limit: 100,
  spent: 0,
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  as_of: '2026-01-02T03:04:00.000Z',
};
const submissions = fc.oneof(
  proposals,
  proposals.map((proposal) => ({ proposal })),
  proposals.map((proposal) => ({ proposal, budget })),
);

/** The text of the verdict in an answer: its members are in canonical order, and the verdict is the last. */
async function overHttp(server: GateServer, submission: object): Promise<string> {
  const answer = await server.submit(submission);
  expect([200, 202]).toContain(answer.status);
  return answer.text.slice(answer.text.indexOf('"verdict":') + '"verdict":'.length, -2);
}

describe('the verdict of the server', () => {
  const shared = sharedGateServer({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });

  it('is the one of check, byte for byte, on generated proposals (gate/service.6)', async () => {
    const server = shared();
    await fc.assert(
      fc.asyncProperty(submissions, async (submission) => {
        const read = readSubmission(JSON.parse(JSON.stringify(submission)) as Json);
        if (!('envelope' in read)) throw new Error('the submission is valid');
        const { policies, evaluator } = server.gate;
        const { verdict } = await check({ ...read.envelope, at: server.now().toISOString() }, policies.deciding(), evaluator);
        expect(await overHttp(server, submission)).toBe(verdictText(verdict));
      }),
      { numRuns: 300 },
    );
  });

  it('is the one that the command prints, byte for byte (gate/service.6)', async () => {
    const server = shared();
    for (const submission of fc.sample(submissions, 3)) {
      const child = spawn(process.execPath, [RUN, 'check', '-', '--at', server.now().toISOString()], { cwd: server.folder, stdio: 'pipe' });
      child.stdin.end(JSON.stringify(submission));
      const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect(await overHttp(server, submission)).toBe(printed.trimEnd());
    }
  });
});
