import type { KubernetesObject } from '../cluster.js';

/** Follows a list through its order, so that a list that must start again does not give an object twice. */
export interface KeyOrder {
  /** Whether an object comes after all that were given before the last restart. */
  isNext(object: KubernetesObject): boolean;
  /** To be called when the list starts again. @returns false where the objects so far came in no order, so that nobody can tell which were given */
  restart(): boolean;
}

/** The order of etcd: by the bytes of namespace and name. Only servers that extend the API may have another. */
export function keyOrder(): KeyOrder {
  let sorted = true;
  let last = '';
  let given = '';
  return {
    isNext: ({ metadata }) => {
      const key = `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
      if (key <= given) return false;
      sorted &&= key > last;
      last = key;
      return true;
    },
    restart: () => {
      given = last;
      return sorted;
    },
  };
}
