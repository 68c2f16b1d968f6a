import type { Resource } from '../../resource/index.js';
import type { Suppression } from '../findings/finding.js';
import { stablePath } from '../findings/finding-key.js';
import { contentKey } from '../items/unchanged.js';

/** The exceptions in manifests that count in a run, by the keys of `exceptionKey`. It can be sent to another thread. */
export interface AcceptedExceptions {
  /** Wherever the object is. */
  anywhere?: ReadonlySet<string>;
  /** By the name of `sourceKey`; `all`: those of this file count, whatever they are. */
  bySource?: ReadonlyMap<string, ReadonlySet<string> | 'all'>;
}

/** @param pointer the place that the exception covers */
export function isAccepted(
  { anywhere, bySource }: AcceptedExceptions,
  resource: Resource,
  source: Suppression['source'],
  ruleId: string,
  pointer: string,
): boolean {
  const here = bySource?.get(sourceKey(resource.source));
  if (here === 'all') return true;
  if (!here && !anywhere) return false;
  const key = exceptionKey(resource, source, ruleId, pointer);
  return (here?.has(key) ?? false) || (anywhere?.has(key) ?? false);
}

/** What was rendered may have the name of a file, and no name of a file is the key of something rendered. */
export function sourceKey({ file, rendered }: Pick<Resource['source'], 'file' | 'rendered'>): string {
  return JSON.stringify(rendered === undefined ? [file] : [file, rendered]);
}

/**
 * The identity of an exception from one version of an object to the next: the object, the rule and the place that it covers; not its reason. An object
 * without a name is the same only if all of it is.
 */
export function exceptionKey(resource: Resource, source: Suppression['source'], ruleId: string, pointer: string): string {
  const { apiVersion, kind, namespace = '', name, object } = resource;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return JSON.stringify([group, kind, namespace, name || contentKey(resource), source, ruleId, stablePath(object, pointer)]);
}
