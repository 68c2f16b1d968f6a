import type { InputError } from '../../errors.js';
import { POD_KINDS } from '../../resource/index.js';
import type { Item } from './batches.js';
import { POD_SPEC, type ProjectionPlan, type Projections, project } from './projections.js';
import { readItem } from './read-item.js';

/** The set of a run, and what of the inputs could not be read: the set may lack that. */
export interface ReadSet {
  projections: Projections;
  errors: readonly InputError[];
}

/** A first pass over the items of the inputs, only where a rule looks at the set; documents of other kinds are not even parsed. */
export async function readProjections(plan: ProjectionPlan, all: AsyncIterable<Item> | Iterable<Item>): Promise<ReadSet> {
  const projections: Projections = {};
  const errors: InputError[] = [];
  if (plan.size === 0) return { projections, errors };
  const named = [...plan.keys()].map((name) => name.slice(name.indexOf('/') + 1));
  const kinds = plan.has(POD_SPEC) ? [...named, ...POD_KINDS, 'DeploymentConfig'] : named;
  for await (const item of all) {
    if (item.type === 'text') {
      const found = scanKinds(item.document.text);
      if (found && !kinds.some((kind) => found.has(kind))) continue;
    }
    const read = readItem(item);
    errors.push(...read.errors);
    for (const resource of read.resources) project(plan, resource, projections);
  }
  return { projections, errors };
}

/**
 * The kinds that a document of YAML text can hold, without parsing it, or undefined where only parsing can tell (JSON, flow
 * style, lists, anchors). Used to skip documents that no `+set` rule reads: it may name too many kinds, never too few.
 */
export function scanKinds(text: string): ReadonlySet<string> | undefined {
  const kinds = new Set<string>();
  let matched = false;
  for (const match of text.matchAll(/^(["']?)kind\1[ \t]*:[ \t]*(.*?)[ \t]*(?:#.*)?\r?$/gm)) {
    const value = match[2]?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(value) || value.endsWith('List')) return undefined;
    kinds.add(value);
    matched = true;
  }
  return matched ? kinds : undefined;
}
