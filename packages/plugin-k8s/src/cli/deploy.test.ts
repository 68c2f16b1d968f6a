import { readFileSync } from 'node:fs';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { reportOf } from '@bylaw/core/report';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';
import { boundRole, clusterRole } from '../scan/index.js';
import { yamlOf } from './print-manifests.js';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const shipped = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

describe('the manifests that are shipped', () => {
  it('grant what a scan by all rules needs, and nothing else: `npm run docs` writes them', () => {
    const role = clusterRole('bylaw-scan', catalogue.rules, catalogue);
    const written = shipped('clusterrole.yaml').replace(/^(?:#.*\n)+/, '');
    expect(written).toBe(yamlOf(boundRole(role, { namespace: 'bylaw-system', name: 'bylaw-scan' })));
  });

  it.each(['clusterrole.yaml', 'scan-cronjob.yaml'])('pass our own rules: %s', async (name) => {
    const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });
    const { findings, errors, summary } = await reportOf(engine.evaluate({ inputs: [textInput(name, shipped(name))], threads: 0 }));
    expect(errors).toEqual([]);
    expect(summary.resources).toBe(3);
    expect(findings.filter(({ status }) => status === 'fail').map(({ rule_id, message }) => `${rule_id} ${message}`)).toEqual([]);
  });
});
