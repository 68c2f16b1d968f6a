import type { KubernetesObject, ServedKind } from '../cluster.js';
import { asMapping, type JsonMapping } from '../json.js';
import { apiVersionOf } from './collection.js';

/** Twice as deep as what any reader of objects takes: it refuses the object by its depth, whether the rest is there or not. */
const MAX_LEVELS = 200;

/**
 * An object as rules see it: with `apiVersion` and `kind`, which the items of a list leave out, and without `managedFields`, the
 * bookkeeping of the API server, which is often half of an object. The annotation of the last applied configuration stays: there are
 * rules for it. What nests deeper than 200 levels ends there: to copy it between threads would overflow the stack.
 */
export function kubernetesObject(item: JsonMapping, kind: ServedKind): KubernetesObject {
  const { metadata, ...rest } = item;
  const { managedFields: _, ...kept } = asMapping(metadata) ?? {};
  return shallow({ ...rest, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: kept });
}

function shallow(object: KubernetesObject): KubernetesObject {
  // Cutting keeps the members of the first level as they are.
  return isDeeper(object, MAX_LEVELS) ? (cut(object, MAX_LEVELS) as KubernetesObject) : object;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const key in value) if (isDeeper((value as JsonMapping)[key], levels - 1)) return true; // JSON has own members only
  return false;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cut(member, levels - 1)]));
}
