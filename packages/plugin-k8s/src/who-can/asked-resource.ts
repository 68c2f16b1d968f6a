import { nearest } from '@bylaw/core/nearest';
import { k8sError } from '../error-table.js';

/** A resource that an API server serves. */
export interface KnownResource {
  /** Empty for the core group. */
  readonly group: string;
  /** Plural: `deployments`. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

/** What RESOURCE of the command line means. */
export interface AskedResource {
  readonly group: string;
  /** Plural, with its subresource: `pods/exec`. */
  readonly resource: string;
  readonly clusterScoped: boolean;
}

/**
 * Reads a resource as kubectl takes it: plural, singular, kind or short name, in any case, with the group after a dot and a subresource after a slash
 * (`deployments.apps/scale`). A name without a group is that of the core group, or else of the first group that has it. `*` asks for all resources of
 * all groups. A resource with a group need not be known.
 * @throws {BylawError} `resource-unknown`
 */
export function askedResource(text: string, known: readonly KnownResource[]): AskedResource {
  const slash = text.indexOf('/');
  const name = (slash < 0 ? text : text.slice(0, slash)).toLowerCase();
  const subresource = slash < 0 ? '' : text.slice(slash);
  if (name === '*') return { group: '*', resource: `*${subresource}`, clusterScoped: false };
  const dot = name.indexOf('.');
  const [word, group] = dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
  const found = candidates(word, known).find((one) => group === undefined || one.group === group);
  if (found) return { group: found.group, resource: found.resource + subresource, clusterScoped: !found.namespaced };
  if (group !== undefined && word !== '') return { group, resource: word + subresource, clusterScoped: false };
  const near = nearest(
    word,
    known.map(({ resource }) => resource),
  );
  throw k8sError('resource-unknown', `Unknown resource ${name}.`, {
    hint: near ? `Did you mean ${near}?` : 'For a custom resource, write its API group: certificates.cert-manager.io.',
  });
}

/** What a name can mean, the core group first. */
function candidates(word: string, known: readonly KnownResource[]): KnownResource[] {
  return known
    .filter(({ resource, kind, shortNames }) => resource === word || kind.toLowerCase() === word || shortNames.includes(word))
    .sort((a, b) => Number(a.group !== '') - Number(b.group !== ''));
}
