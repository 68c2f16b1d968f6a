import { type ProjectionPlan, type Projections, project } from '@bylaw/core/evaluate';
import { readObject } from '@bylaw/core/resource';
import type { KubernetesObject } from '../../cluster/cluster.js';

type Projection = Projections[string][number];

/** What rules read of the whole set, kept up to date object by object. */
export interface SetStore {
  /** What is kept of an object. */
  put(kind: string, key: string, object: KubernetesObject): void;
  remove(kind: string, key: string): void;
  /** Kinds of which something that rules read has changed since the last call. */
  changedKinds(): string[];
  projections(): Projections;
}

export function setStore(plan: ProjectionPlan): SetStore {
  const kinds = new Map<string, Map<string, { text: string; projections: readonly Projection[] }>>();
  let changed = new Set<string>();
  const objectsOf = (kind: string) => {
    const objects = kinds.get(kind) ?? new Map();
    kinds.set(kind, objects);
    return objects;
  };
  return {
    put(kind, key, object) {
      const projections = projectionsOf(object, plan);
      const text = JSON.stringify(projections);
      const objects = objectsOf(kind);
      if (objects.get(key)?.text === text) return;
      objects.set(key, { text, projections });
      changed.add(kind);
    },
    remove(kind, key) {
      if (objectsOf(kind).delete(key)) changed.add(kind);
    },
    changedKinds() {
      const kindsSoFar = [...changed];
      changed = new Set();
      return kindsSoFar;
    },
    projections: () =>
      Object.fromEntries([...kinds].map(([kind, objects]) => [kind, [...objects.values()].flatMap(({ projections }) => projections)])),
  };
}

function projectionsOf(object: KubernetesObject, plan: ProjectionPlan): Projection[] {
  const into: Projections = {};
  for (const resource of readObject(object, { file: '', document: 0 }).resources) project(plan, resource, into);
  return Object.values(into).flat();
}
