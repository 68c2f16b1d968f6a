import { describe, expect, it } from 'vitest';
import { fixedClock } from '../clock.js';
import { textInput } from '../resource/index.js';
import { catalogueOf, type LoadedPack, type RuleDetail } from '../rule/index.js';
import type { Tally } from '../score/index.js';
import { createEngine } from './engine.js';

const rule: RuleDetail = {
  id: 'CS-001',
  category: 'CS',
  severity: 'HIGH',
  title: 'Pods do not use the network of the node',
  description: 'Why.',
  targets: ['Pod'],
  logic: [{ targets: ['Pod'], expression: 'object.?spec.?hostNetwork.orValue(false) != true' }],
  fix: 'Mend it.',
  frameworks: [],
  references: [],
  peers: [],
  examples: [],
};
const pack: LoadedPack = { name: 'test', settings: {}, constants: {}, rules: [rule], detail: () => rule };

describe('what a run counted', () => {
  it('is told once before its end: counts per rule, and every resource', async () => {
    const text = ['a', 'b'].map(
      (name, at) => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: shop}, spec: {hostNetwork: ${at === 0}}}`,
    );
    const engine = createEngine({ catalogue: catalogueOf([pack], { packs: [], ruleDirs: [] }), clock: fixedClock('2026-01-01') });
    const told: { tally: Tally; identities: readonly string[]; ended: boolean }[] = [];
    let ended = false;
    const inputs = [textInput('pods.yaml', [...text, '{apiVersion: v1, kind: Service, metadata: {name: a}}'].join('\n---\n'))];
    for await (const event of engine.evaluate({
      inputs,
      threads: 0,
      onCounted: (tally, identities) => told.push({ tally, identities, ended }),
    }))
      ended ||= event.type === 'end';
    expect(told).toEqual([
      {
        tally: {
          resources: 3,
          found: 3,
          unchecked: new Map([['Service', 1]]),
          rules: { 'CS-001': { applicable: 2, failed: 1, waived: 0, unknown: 0 } },
        },
        identities: ['Pod/shop/a', 'Pod/shop/b', 'Service//a'],
        ended: false,
      },
    ]);
  });
});
