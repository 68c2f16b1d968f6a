import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { canonical, type JsonObject } from '../json/index.js';
import { HEAD, policyFile, removeBundles, writeBundle } from '../policy/bundle-files.test-support.js';
import { loadBundle } from './bundle/load-bundle.js';
import { check } from './check.js';
import { AT, BUDGET, mandateOf, noEvaluator, PROPOSAL, TRUST } from './verdict.test-support.js';

const folder = mkdtempSync(join(tmpdir(), 'bylaw-check-'));

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await removeBundles();
});

/** Evaluates the inputs of a file by the built package, as another process in another place would. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
const { check, loadBundle } = await import(process.argv[2]);
const { canonical } = await import(process.argv[3]);
const { inputs, path } = JSON.parse(readFileSync(process.argv[4], 'utf8'));
const { bundle } = await loadBundle(path);
for (const input of inputs) console.log(canonical({ ...(await check(input, bundle, undefined)) }));
`;

describe('check in another process', () => {
  it.each(['Pacific/Kiritimati', 'America/St_Johns'])(
    'gives the same bytes, also in the time zone %s and another language (gate/service.6)',
    async (zone) => {
      const path = await writeBundle({
        'bundle.yaml': HEAD,
        ...TRUST,
        'policies/hours.yaml': policyFile('hours', {
          effect: 'require_approval',
          approval: { groups: ['sre'] },
          when: 'request.time.getHours() < 12',
        }),
        'policies/weekend.yaml': policyFile('weekend', { effect: 'deny', when: 'request.time.getDayOfWeek("Asia/Tokyo") == 6' }),
        'policies/cost.yaml': policyFile('cost', {
          when: 'has(proposal.action.cost) && proposal.action.cost.amount < 5000 && mandate.valid',
        }),
        'policies/text.yaml': policyFile('text', { when: 'proposal.?justification.orValue("").lowerAscii() == "release"' }),
      });
      const action = { ...PROPOSAL.action, cost: { unit: 'USD.cents', amount: 700 } };
      const inputs = [AT, '2026-01-02T15:00:00.000Z', '2026-01-03T11:59:59.999Z'].flatMap((at) => [
        { proposal: PROPOSAL, at },
        { proposal: { ...PROPOSAL, action, justification: 'RELEASE' }, budget: BUDGET, mandate: mandateOf(), at },
      ]);
      const { bundle } = await loadBundle(path);
      if (bundle === undefined) throw new Error('the bundle does not load');
      const here: string[] = [];
      for (const input of inputs) here.push(canonical({ ...(await check(input, bundle, noEvaluator)) } as unknown as JsonObject)); // of JSON values
      const [program, given] = [join(folder, 'program.mjs'), join(folder, 'inputs.json')];
      writeFileSync(program, PROGRAM);
      writeFileSync(given, JSON.stringify({ inputs, path }));
      const built = (module: string) => fileURLToPath(new URL(`../../dist/${module}/index.js`, import.meta.url));
      const output = execFileSync(process.execPath, [program, built('verdict'), built('json'), given], {
        encoding: 'utf8',
        env: { TZ: zone, LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      });
      expect(output.trimEnd().split('\n')).toEqual(here);
      expect(new Set(here).size).toBeGreaterThan(3);
    },
  );
});
