import { fixedClock } from '../clock.js';
import { createEngine } from '../evaluate/index.js';
import type { Catalogue } from '../rule/index.js';

/** More would keep a thread busy for longer than the first requests would gain. */
const MOST_OBJECTS = 300;

/** Evaluates an example of each rule, so that the code of the rules and of the engine has run before the first request waits for it. */
export async function warmUp(catalogue: Catalogue): Promise<void> {
  const values = catalogue.rules.flatMap(({ id }) => catalogue.detail(id)?.examples.find(({ fail }) => fail)?.fail ?? []);
  const engine = createEngine({ catalogue, clock: fixedClock('1970-01-01') });
  const events = engine.evaluate({ inputs: [{ file: 'examples', values: values.slice(0, MOST_OBJECTS) }], threads: 0 });
  for await (const _ of events); // only to have it done
}
