import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type EvaluationEvent, type EvaluationRequest } from '@bylaw/core/evaluate';
import { textInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';

// Threads load their catalogue from files, so this needs a pack that was compiled to one.
const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const engine = createEngine({ catalogue, clock: fixedClock('2026-11-21') });

const pod = (index: number) => `apiVersion: v1
kind: Pod
metadata: { name: p${index}, namespace: shop }
spec: { hostNetwork: true, containers: [{ name: a, image: "a:${index}" }] }
`;
/** More batches than any number of threads holds at a time, with errors between them. */
const TEXT = Array.from({ length: 3000 }, (_, index) => (index % 500 === 7 ? 'kind: [\n' : pod(index))).join('---\n');

async function run(request: Partial<EvaluationRequest>) {
  const keys: string[] = [];
  let findings = '';
  let documents = 0;
  let end: EvaluationEvent | undefined;
  const inputs = [textInput('a.yaml', TEXT), textInput('b.yaml', pod(1))];
  for await (const event of engine.evaluate({
    inputs,
    filter: { rules: ['CS-001', 'CS-002', 'CS-003', 'CS-004', 'CS-005'] },
    onBaselineKeys: (more) => void keys.push(...more),
    onProgress: (count) => {
      documents = count;
    },
    ...request,
  })) {
    if (event.type === 'findings') findings += `${event.batch.json()},\n`;
    else end = event;
  }
  return { findings, keys, documents, end };
}

describe('evaluating on several threads', () => {
  it.each([2, 3])('gives the same findings in the same order on %i threads as on one', async (threads) => {
    const one = await run({ threads: 1 });
    expect(one.documents).toBe(3001);
    expect(one.keys.length).toBeGreaterThan(3000);
    expect(one.end).toMatchObject({ type: 'end', summary: { resources: 2995 } });
    expect(await run({ threads })).toEqual(one);
  });

  it('can be left before its end', async () => {
    let seen = 0;
    for await (const event of engine.evaluate({ inputs: [textInput('a.yaml', TEXT)], threads: 2 })) {
      if (event.type === 'findings') seen = event.batch.count;
      break;
    }
    expect(seen).toBeGreaterThan(0);
  });
});
