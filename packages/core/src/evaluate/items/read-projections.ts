import { type AnyInput, items } from './batches.js';
import { scanKinds } from './kind-scan.js';
import { readItem } from './read-item.js';
import { type ProjectionPlan, type Projections, project } from './resource-index.js';

/** A first pass over the inputs, only where a rule looks at the set; documents of other kinds are not even parsed. */
export async function readProjections(plan: ProjectionPlan, inputs: readonly AnyInput[]): Promise<Projections> {
  const projections: Projections = {};
  if (plan.size === 0) return projections;
  const kinds = [...plan.keys()].map((name) => name.slice(name.indexOf('/') + 1));
  for await (const item of items(inputs)) {
    if (item.type === 'text') {
      const found = scanKinds(item.document.text);
      if (found && !kinds.some((kind) => found.has(kind))) continue;
    }
    for (const resource of readItem(item).resources) project(plan, resource, projections);
  }
  return projections;
}
