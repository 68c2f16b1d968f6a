import { groupsOfBuiltin, isFileGroup } from '@bylaw/core/resource';
import { pluralOfKind } from '../cluster/plural-of-kind.js';

/** A resource as access to it is granted. */
export interface GrantedResource {
  /** Empty for the core group. */
  group: string;
  /** Plural, or `*` for all of the group. */
  resource: string;
}

/** The resources of a kind or a group that a rule names, as API servers call them; none for what is not an object of an API server. */
export function resourcesOf(name: string): GrantedResource[] {
  const slash = name.indexOf('/');
  if (slash < 0) return groupsOfBuiltin(name).map((group) => ({ group, resource: pluralOfKind(name) }));
  const group = name.slice(0, slash);
  const kind = name.slice(slash + 1);
  return isFileGroup(group) ? [] : [{ group, resource: kind === '*' ? '*' : pluralOfKind(kind) }];
}
