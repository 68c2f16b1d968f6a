import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw } from './run-cli.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const ENV = { SVC_ADAPTER_SECRET_CI: SECRET, SVC_ADAPTER_ID: 'ci' };

const CONFIG = `policy: {bundle: policies}
adapters: [{adapter_id: ci, kind: ci, secret_env: SVC_ADAPTER_SECRET_CI}]
`;
const POLICIES = {
  'policies/bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 1.0.0\n',
  'policies/policies/outside.yaml': policy('outside', 'when: proposal.environment != "production", effect: allow, message: Fine.'),
  'policies/policies/ask.yaml': policy(
    'ask',
    'match: {environments: [production]}, effect: require_approval, approval: {groups: [sre], quorum: 1, ttl_seconds: 600, grant_ttl_seconds: 600}, message: Production needs one approver.',
  ),
};

function policy(id: string, spec: string): string {
  return `apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: ${id}, title: A policy}\nspec: {${spec}}\n`;
}

function proposal(id: string, environment: string): string {
  return JSON.stringify({
    id,
    principal: { id: 'ann' },
    action: { type: 'db.migrate', resource: 'db://orders' },
    environment,
    enforcement: 'enforcing',
  });
}

it('goes all the way from a key to verified evidence, with an approval between', async () => {
  const cwd = folderOf({ 'bylaw.yaml': CONFIG, ...POLICIES, 'p-1.json': proposal('p-1', 'production') });
  const verifier = (await bylaw(['keys', 'init'], { cwd })).stdout.trim();
  const approver = (await bylaw(['approvals', 'key', 'carol.key'], { cwd })).stdout.replace('NAME', 'carol').replace('GROUP', 'sre');
  const withApprover = join(cwd, 'with-approver.yaml');
  writeFileSync(withApprover, `${CONFIG}${approver}`);
  const server = await serveBylaw({ cwd, env: { ...ENV, SVC_CONFIG: withApprover } });
  const at = { cwd, env: { ...ENV, SVC_CONFIG: withApprover, SVC_API_URL: server.url } };

  const asked = await bylaw(['propose', 'p-1.json', '--json'], at);
  expect(asked.code).toBe(11);
  const { approval, ...members } = JSON.parse(asked.stdout);
  expect(Object.keys(members).sort()).toEqual(['effective_decision', 'enforced', 'evidence_ref', 'evidence_seq', 'verdict']);
  const listed = await bylaw(['approvals', 'list', '--json'], at);
  expect(JSON.parse(listed.stdout).approvals).toMatchObject([{ id: approval, state: 'pending', groups: ['sre'], proposal_id: 'p-1' }]);
  const granted = await bylaw(
    ['approvals', 'grant', approval, '--as', 'carol', '--key', 'carol.key', '--reason', `Looked at it: token=${'a1B2'.repeat(8)}`],
    at,
  );
  expect(granted).toMatchObject({ code: 0, stderr: '' });
  const again = await bylaw(['approvals', 'reject', approval, '--as', 'carol', '--key', 'carol.key', '--json'], at);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stderr).error.code).toBe('AG-APR-002');
  const shown = JSON.parse((await bylaw(['approvals', 'show', approval], at)).stdout);
  expect(shown).toMatchObject({
    state: 'granted',
    decisions: [{ approver: 'carol', signed: true, reason: expect.stringMatching(/^Looked at it: .*masked/) }],
    proposal: { id: 'p-1' },
  });

  const reported = await bylaw(['result', 'p-1', '--status', 'ok'], at);
  expect(JSON.parse(reported.stdout)).toMatchObject({ proposal_id: 'p-1', status: 'ok', assurance: 'adapter', final: true });
  expect((await bylaw(['result', 'p-1', '--status', 'error'], at)).code).toBe(1);
  await server.stop();

  await bylaw(['evidence', 'export', '--output', 'evidence.jsonl'], at);
  const verified = await bylaw(['evidence', 'verify', 'evidence.jsonl', '--key', verifier, '--json'], { cwd });
  expect(verified).toMatchObject({ code: 0 });
  expect((await bylaw(['store', 'doctor'], at)).code).toBe(0);
});

it('answers a proposal that is no proposal before anything is sent', async () => {
  const cwd = folderOf({ 'bad.json': '{"id":"p-1"}' });
  const answered = await bylaw(['propose', 'bad.json', '--server', 'http://127.0.0.1:1', '--patience', '0'], { cwd });
  expect(answered).toMatchObject({ code: 2, stdout: '' });
  expect(answered.stderr).toContain('bad.json');
});

it('keeps an action from running where no gate answers, unless it is told to fail open', async () => {
  const cwd = folderOf({ 'p.json': proposal('p-1', 'staging') });
  const args = ['propose', 'p.json', '--server', 'http://127.0.0.1:1', '--patience', '0'];
  expect(await bylaw(args, { cwd })).toMatchObject({ code: 10, stdout: '' });
  expect(await bylaw([...args, '--fail', 'open'], { cwd })).toMatchObject({ code: 0, stdout: '' });
});

it.each([
  ['TypeScript', process.execPath, 'gate-client.ts'],
  ['Python', 'python3', 'gate_client.py'],
])('is understood by the example client in %s', async (_, program, file) => {
  const cwd = folderOf({
    'bylaw.yaml': CONFIG,
    ...POLICIES,
    'allowed.json': proposal('p-1', 'staging'),
    'asks.json': proposal('p-2', 'production'),
  });
  await bylaw(['keys', 'init'], { cwd });
  const server = await serveBylaw({ cwd, env: ENV });
  const run = (json: string) =>
    promisify(execFile)(program, [join(ROOT, 'examples', 'adapters', file), server.url, 'ci', json], {
      cwd,
      env: { PATH: process.env.PATH, ...ENV },
    });
  expect((await run('allowed.json')).stdout).toContain('its result is recorded');
  await expect(run('asks.json')).rejects.toMatchObject({ code: 1 });
  const results = (await bylaw(['evidence', 'export', '--type', 'result'], { cwd, env: ENV })).stdout.trim().split('\n');
  expect(results).toHaveLength(1);
  await server.stop();
});
