import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it } from 'vitest';
import { coverageOf } from './coverage.js';
import { loadBundle } from './load-bundle.js';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const bylaw = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));
const EXITS: { readonly [decision: string]: number } = { ALLOW: 0, DENY: 10, REQUIRE_APPROVAL: 11 };

describe('the bundle to start from', () => {
  it('loads without a complaint, and its tests see all of it', async () => {
    const { bundle, errors, warnings } = await loadBundle(`${ROOT}/examples/policies`);
    expect([errors, warnings]).toEqual([[], []]);
    expect(bundle && (await coverageOf(bundle))).toMatchObject({ percent: 100 });
    const readme = readFileSync(`${ROOT}/examples/policies/README.md`, 'utf8');
    expect(readme).toContain(`${bundle?.policies.length} policies, ${bundle?.tests.length} tests, 0 warnings`);
  });

  const table = readFileSync(`${ROOT}/examples/proposals/README.md`, 'utf8');
  const rows = [...table.matchAll(/^\| `bylaw (check [^`]+)` \| ([A-Z_]+) \|$/gm)].map(
    ([, command = '', decision = '']) => [command, decision] as const,
  );

  it.each(rows)('gives the verdict that its page promises: %s: %s', async (command, decision) => {
    const { stdout, code } = await bylaw(command.split(' '), { cwd: ROOT });
    expect([JSON.parse(stdout).decision, code]).toEqual([decision, EXITS[decision]]);
  });

  it('is tried with every example', () => {
    expect(rows.length).toBeGreaterThan(7);
  });
});
