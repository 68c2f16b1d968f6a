import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEvaluator } from '@bylaw/core/cel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import { removeBundles, writeBundle } from '../../policy/bundle-files.test-support.js';
import { type Bundle, VARIABLES } from '../../policy/index.js';
import type { BudgetState, Mandate } from '../../proposal/index.js';
import { check, coverageOf, loadBundle } from '../../verdict/index.js';
import { codesOf, noEvaluator } from '../../verdict/verdict.test-support.js';
import { issueMandate } from './issue-mandate.js';

const GUIDE = readFileSync(fileURLToPath(new URL('../../../../../docs/policies.md', import.meta.url)), 'utf8');

/** Every file that the guide tells its reader to write. */
const FILES = Object.fromEntries(
  [...GUIDE.matchAll(/^```yaml\n# file: (\S+)\n([\s\S]*?)^```$/gm)].map(([, path = '', content = '']) => [path, content] as const),
);

let mandate: Mandate;
let bundle: Bundle;

/** As the reader would: make a key, issue a mandate, trust the key. */
beforeAll(async () => {
  const { 'mandate.yaml': written = '', ...files } = FILES;
  const from = join(await writeBundle({ 'mandate.yaml': written }), 'mandate.yaml');
  const signer = signerFromPem(newKeyPem());
  const options = { signer, newId: () => 'not used', now: new Date(0), maxLifetimeHours: 720 };
  mandate = await issueMandate({ from, 'reversible-only': false }, options);
  const issuers = FILES['trust/issuers.yaml']?.replace('PUBLIC_KEY', signer.publicKey) ?? '';
  const path = await writeBundle({ ...files, 'trust/issuers.yaml': issuers });
  const loaded = await loadBundle(path);
  expect([loaded.errors, loaded.warnings]).toEqual([[], []]);
  if (loaded.bundle === undefined) throw new Error('the bundle does not load');
  bundle = loaded.bundle;
});

afterAll(removeBundles);

const PROPOSAL = {
  id: 'p-1',
  principal: { id: 'alice' },
  agent: { id: 'release-agent' },
  action: { type: 'tool.write', resource: 'repo://shop/README.md' },
  environment: 'staging',
};
const AT = '2026-03-02T10:00:00.000Z';

describe('the guide for policies', () => {
  it('has a first bundle that loads as it says', async () => {
    const first = ['bundle.yaml', 'policies/deploy.yaml', 'tests/deploy.yaml'].map((path) => [path, FILES[path] ?? ''] as const);
    const { bundle: loaded, errors, warnings } = await loadBundle(await writeBundle(Object.fromEntries(first)));
    expect([errors, warnings]).toEqual([[], []]);
    expect(loaded && (await coverageOf(loaded)).percent).toBe(100);
    expect(GUIDE).toContain(
      `${loaded?.id} ${loaded?.version}: ${loaded?.policies.length} policy, ${loaded?.tests.length} tests, 0 warnings`,
    );
  });

  it('issues mandates that the gate takes', async () => {
    const { verdict } = await check({ proposal: PROPOSAL, mandate, at: AT }, bundle, noEvaluator);
    expect(verdict).toMatchObject({ decision: 'ALLOW', mandate: { status: 'valid', mandate_id: 'm-1' } });
    const without = await check({ proposal: PROPOSAL, at: AT }, bundle, noEvaluator);
    expect(codesOf(without.verdict)).toEqual(['AG-POL-012 agents']);
    const late = await check({ proposal: PROPOSAL, mandate, at: '2026-03-02T18:00:00.000Z' }, bundle, noEvaluator);
    expect(codesOf(late.verdict)).toEqual(['AG-POL-012 agents', 'AG-POL-014']);
  });

  it.each([
    [2000, 'within', 'ALLOW'],
    [2001, 'exceeded', 'REQUIRE_APPROVAL'],
  ])('says rightly that %i is %s', async (amount, status, decision) => {
    const budget = JSON.parse(/```json\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? '') as BudgetState;
    const action = { ...PROPOSAL.action, cost: { unit: 'USD.cents', amount } };
    const { 'mandate.yaml': _, 'trust/issuers.yaml': __, 'policies/agents.yaml': agents = '', ...rest } = FILES;
    const files = { ...rest, 'policies/agents.yaml': agents.replace('  mandate: required\n', '') };
    const { bundle: open } = await loadBundle(await writeBundle(files));
    if (open === undefined) throw new Error('the bundle does not load');
    const { verdict } = await check({ proposal: { ...PROPOSAL, action }, budget, at: AT }, open, noEvaluator);
    expect([verdict.budget.status, verdict.decision]).toEqual([status, decision]);
  });

  it('masks what its example says', () => {
    const masked = bundle.masker.maskSubmission({
      proposal: { ...PROPOSAL, action: { ...PROPOSAL.action, parameters: { iban: 'DE02', note: 'for CUST-12345678', payload: { x: 1 } } } },
    });
    expect(JSON.stringify(masked)).not.toMatch(/DE02|12345678|"x":1/);
  });

  it('has conditions that ask before they read', () => {
    const block = /These conditions are safe:\n\n```text\n([\s\S]*?)```/.exec(GUIDE)?.[1] ?? '';
    const conditions = block.trim().split('\n');
    expect(conditions).toHaveLength(4);
    for (const condition of conditions) {
      const program = createEvaluator().compile(condition, {
        variables: Object.keys(VARIABLES),
        shapes: VARIABLES,
        condition: true,
        maxNodes: 500,
        maxNesting: 1,
      });
      expect(program.unguarded).toEqual([]);
    }
  });

  it('names every variable and every field', () => {
    const table = GUIDE.slice(GUIDE.indexOf('| variable | fields |'), GUIDE.indexOf('If a condition reads a missing field'));
    for (const [variable, shape] of Object.entries(VARIABLES)) {
      const row = table.split('\n').find((line) => line.startsWith(`| \`${variable}\``));
      const fields = shape.type === 'object' ? Object.keys(shape.members) : [];
      if (variable !== 'mandate') for (const field of fields) expect(row).toContain(`\`${field}\``);
    }
  });
});

// Written here so that a guide without files fails loudly, and not with a bundle of nothing.
it('the guide has files', () => {
  expect(Object.keys(FILES).sort()).toEqual([
    'bundle.yaml',
    'mandate.yaml',
    'masking.yaml',
    'policies/agents.yaml',
    'policies/deploy.yaml',
    'tests/deploy.yaml',
    'trust/issuers.yaml',
    'trust/revoked.yaml',
  ]);
});
