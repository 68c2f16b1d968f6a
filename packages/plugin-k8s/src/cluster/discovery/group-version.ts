import type { ServedKind } from '../cluster.js';

/** A version of a group, with what it serves; `resources` is absent where its server does not answer. Preferred ones come first. */
export interface GroupVersion {
  group: string;
  version: string;
  resources: readonly ServedKind[] | { failed: string };
}
