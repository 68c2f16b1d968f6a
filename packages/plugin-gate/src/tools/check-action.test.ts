import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '@bylaw/core/plugin';
import { requestCheck } from '@bylaw/core/request-check';
import { servicesIn } from '@bylaw/core/testing/services';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GATE_SECTIONS } from '../config/index.js';
import { HEAD, policyFile, removeBundles, writeBundle } from '../policy/bundle-files.test-support.js';
import { check, loadBundle, manifestEvaluator, VERDICT_SCHEMA } from '../verdict/index.js';
import { BUDGET, mandateOf, PROPOSAL, TRUST } from '../verdict/verdict.test-support.js';
import { checkActionTool } from './check-action.js';

const AT = '2026-01-02T03:04:05.678Z';

let services: Services;
let bundlePath: string;
let folder: string;

/** The bundle is in another folder, so the configuration is named. */
const NAMED = { SVC_CONFIG: 'bylaw.yaml' };

beforeAll(async () => {
  bundlePath = await writeBundle({
    'bundle.yaml': { ...HEAD, approval: { groups: ['owners'] } },
    ...TRUST,
    'policies/allow.yaml': policyFile('allow', { when: 'proposal.environment == "staging"', obligations: [{ type: 'ticket' }] }),
    'policies/ask.yaml': policyFile('ask', { effect: 'require_approval', match: { environments: ['production'] }, mandate: 'required' }),
    'policies/rules.yaml': policyFile('rules', { effect: 'deny', when: 'governance.present && governance.score < 90' }),
    'policies/secret.yaml': policyFile('secret', { effect: 'deny', stage: 'draft', when: 'has(proposal.action.parameters.password)' }),
  });
  folder = await writeBundle({ 'bylaw.yaml': `policy: {bundle: ${JSON.stringify(bundlePath)}}\n` });
  services = await gateServices(folder);
});

afterAll(removeBundles);

async function gateServices(cwd: string): Promise<Services> {
  const { services } = await servicesIn(cwd, { plugin: { plugin: 'gate', sections: GATE_SECTIONS }, env: NAMED, at: AT });
  return services;
}

const call = (args: object, to: Services = services) => checkActionTool.handler({ ...args }, to, new AbortController().signal);

describe('check_action', () => {
  it.each<[string, object]>([
    ['a proposal that is denied', { proposal: PROPOSAL }],
    ['one that needs an approval', { proposal: PROPOSAL, mandate: mandateOf(), budget: BUDGET }],
    ['one that is allowed', { proposal: { ...PROPOSAL, environment: 'staging', requested_at: AT } }],
    [
      'one with secrets',
      { proposal: { ...PROPOSAL, environment: 'staging', action: { ...PROPOSAL.action, parameters: { password: 'hunter2' } } } },
    ],
    ['one with an invalid mandate', { proposal: PROPOSAL, mandate: mandateOf({ subject: 'bob' }) }],
  ])('answers what check and the command answer, field by field (gate/service.6): %s', async (_, envelope) => {
    const answer = (await call({ ...envelope, at: AT })) as { verdict: { decision: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL' } };
    const { bundle } = await loadBundle(bundlePath);
    if (bundle === undefined) throw new Error('the bundle does not load');
    const { verdict } = await check({ ...envelope, at: AT } as Parameters<typeof check>[0], bundle, manifestEvaluator(services)); // one of the above
    expect(answer).toEqual({ verdict });
    const file = join(folder, 'envelope.json');
    writeFileSync(file, JSON.stringify(envelope));
    const command = await commandOf('check', file, '--at', AT);
    expect(command).toEqual({ output: verdict, exit: { ALLOW: 0, DENY: 10, REQUIRE_APPROVAL: 11 }[verdict.decision] });
    expect(requestCheck(VERDICT_SCHEMA)(answer.verdict)).toEqual([]);
  });

  it('evaluates manifests as the command does, by every rule that is installed', async () => {
    const manifests = [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'c', image: 'x', securityContext: { privileged: true } }] },
      },
    ];
    const file = join(folder, 'manifests.json');
    writeFileSync(file, JSON.stringify({ ...PROPOSAL, environment: 'staging', action: { ...PROPOSAL.action, parameters: { manifests } } }));
    const { output, exit } = await commandOf('check', file, '--at', AT);
    expect(output).toMatchObject({
      decision: 'DENY',
      reasons: [{ policy: 'rules' }],
      governance: { rules: expect.arrayContaining(['CS-001']) },
    });
    expect(exit).toBe(10);
  });

  it('takes now where nobody says when', async () => {
    expect(await call({ proposal: PROPOSAL, mandate: mandateOf() })).toEqual(
      await call({ proposal: PROPOSAL, mandate: mandateOf(), at: AT }),
    );
  });

  it('follows a bundle that changes, and says when it has errors', async () => {
    const path = await writeBundle({ 'bundle.yaml': HEAD, 'policies/a.yaml': policyFile('a', {}) });
    const own = await gateServices(await writeBundle({ 'bylaw.yaml': `policy: {bundle: ${JSON.stringify(path)}}\n` }));
    expect(await call({ proposal: PROPOSAL }, own)).toMatchObject({ verdict: { decision: 'ALLOW' } });
    writeFileSync(join(path, 'policies/a.yaml'), JSON.stringify(policyFile('a', { effect: 'deny' })));
    expect(await call({ proposal: PROPOSAL }, own)).toMatchObject({ verdict: { decision: 'DENY' } });
    writeFileSync(join(path, 'policies/a.yaml'), 'x');
    await expect(call({ proposal: PROPOSAL }, own)).rejects.toMatchObject({ code: 'AG-POL-001' });
  });

  it.each<[string, object, object]>([
    ['a proposal over the bounds', { proposal: { ...PROPOSAL, justification: 'x'.repeat(9000) } }, { code: 'AG-SCH-001' }],
    [
      'a large one',
      { proposal: { ...PROPOSAL, action: { ...PROPOSAL.action, parameters: { x: 'x'.repeat(65_536) } } } },
      { code: 'AG-SCH-004' },
    ],
    ['a time that is none', { proposal: { ...PROPOSAL, requested_at: '2026-02-30T00:00:00.000Z' } }, { kind: { code: 'AG-SCH-002' } }],
    ['a time that is none', { proposal: PROPOSAL, at: '2026-02-30T00:00:00.000Z' }, { code: 'usage' }],
    ['an id that looks like a secret', { proposal: { ...PROPOSAL, id: `ghp_${'a1B2'.repeat(9)}` } }, { kind: { code: 'AG-SCH-002' } }],
  ])('refuses %s', async (_, args, error) => {
    await expect(call(args)).rejects.toMatchObject(error);
  });

  it('says that there is no bundle', async () => {
    await expect(call({ proposal: PROPOSAL }, await gateServices(await writeBundle({ 'bylaw.yaml': '' })))).rejects.toMatchObject({
      code: 'AG-POL-002',
    });
  });
});

const runShared = sharedProcess(new URL('../../../cli/lib/main.js', import.meta.url));

async function commandOf(...args: string[]): Promise<{ output: unknown; exit: number }> {
  const { stdout, code } = await runShared(args, { cwd: folder, env: { ...process.env, ...NAMED } });
  return { output: JSON.parse(stdout), exit: code };
}
