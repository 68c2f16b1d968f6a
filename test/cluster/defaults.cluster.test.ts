import { systemClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { completed } from './completed.js';
import { type ApiObject, collectionOf } from './objects.js';
import { startCluster, type TestCluster } from './start-cluster.js';

const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const engine = createEngine({ catalogue, clock: systemClock });

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster(inject('programs'));
});
afterAll(() => cluster?.stop());

it('finds nothing in what a real API server fills in, in the examples of all rules', async () => {
  const added: string[] = [];
  let evaluated = 0;
  for (const { id } of catalogue.rules) {
    for (const [index, { fail, pass, skip }] of (catalogue.detail(id)?.examples ?? []).entries()) {
      for (const example of [fail ?? pass ?? skip ?? []].flat()) {
        const manifest = completed(example, 'default') as ApiObject; // with a name
        const held = await asHeld(manifest);
        if (held === undefined) continue;
        evaluated += 1;
        const before = await failingRules(manifest, false);
        for (const rule of await failingRules(held, true)) if (!before.has(rule)) added.push(`${id} example ${index}: ${rule}`);
      }
    }
  }
  expect(evaluated).toBeGreaterThan(600);
  // The tag is a variable of a template, or absent. What the API server makes of it is known, and that of the template is not.
  expect(added).toEqual(['SC-001 example 3: SC-005', 'SC-001 example 9: SC-005', 'ST-012 example 1: SC-005']);
});

/** The object as the API server would keep it; undefined where it does not take it. */
async function asHeld(manifest: ApiObject): Promise<unknown> {
  const collection = await collectionOf(cluster.admin, manifest);
  if (collection === undefined) return undefined;
  const { status, body } = await cluster.admin.send('POST', `${collection}?dryRun=All`, { body: manifest });
  return status === 201 ? body : undefined;
}

async function failingRules(object: unknown, live: boolean): Promise<Set<string>> {
  const failing = new Set<string>();
  async function* objects() {
    yield object;
  }
  for await (const event of engine.evaluate({ inputs: [{ live, objects }], threads: 1 })) {
    if (event.type === 'end') continue;
    for (const { rule_id, status } of event.batch.findings()) if (status === 'fail') failing.add(rule_id);
  }
  return failing;
}
