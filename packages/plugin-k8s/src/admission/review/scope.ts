import { isDeepStrictEqual } from 'node:util';
import { builtinGroup, isObject, type JsonObject, POD_KINDS } from '@bylaw/core/resource';
import type { WebhookConfig } from '../../config/webhook-section.js';
import type { AdmissionRequest } from './admission-review.js';

/** What of a request is evaluated; or why nothing is, in words that follow “not evaluated:”. */
export type Scope = InScope | { skipped: string };

export interface InScope {
  object: JsonObject;
  /** Only what this one does not fail already counts. */
  old?: JsonObject;
}

/**
 * Subresources whose object is the whole parent, with a change in what rules look at. That of all others is not a manifest, or nothing of
 * it but the status counts.
 */
const EVALUATED_SUBRESOURCES: ReadonlySet<string> = new Set(['', 'ephemeralcontainers', 'resize']);

/** The settings that the scope depends on. */
export type ScopeSettings = Pick<WebhookConfig, 'controllers' | 'judge_owned' | 'only_new_findings'>;

/** Decides what of a request is evaluated. Nothing that its author may write freely takes an object out. */
export function scopeOf(request: AdmissionRequest, settings: ScopeSettings): Scope {
  const { operation, subResource, object, username } = request;
  if (operation === 'DELETE' || operation === 'CONNECT' || object === undefined)
    return { skipped: `a ${operation} request contains no manifest` };
  if (!EVALUATED_SUBRESOURCES.has(subResource)) return { skipped: `the subresource ${subResource} contains no manifest` };
  const old = operation === 'UPDATE' ? request.oldObject : undefined;
  const specUnchanged = old !== undefined && sameButForMetadata(object, old);
  if (specUnchanged && metadataOf(object).deletionTimestamp !== undefined)
    return { skipped: 'the object is being deleted, and only its metadata or status changes' };
  const believed = settings.controllers.includes(username);
  if (believed && !settings.judge_owned && hasWorkloadAsOwner(object))
    return { skipped: 'a Kubernetes controller creates it from a workload that was checked itself' };
  const onlyNew = old !== undefined && (settings.only_new_findings || specUnchanged);
  const shown = (whole: JsonObject) => withoutBookkeeping(whole, believed);
  return onlyNew ? { object: shown(object), old: shown(old) } : { object: shown(object) };
}

/** Whether an update leaves everything as it is but what belongs to metadata and status: labels, finalizers, conditions, … */
function sameButForMetadata(object: JsonObject, old: JsonObject): boolean {
  return isDeepStrictEqual(
    { ...object, metadata: null, status: null }, //
    { ...old, metadata: null, status: null },
  );
}

function hasWorkloadAsOwner(object: JsonObject): boolean {
  const { ownerReferences } = metadataOf(object);
  if (!Array.isArray(ownerReferences)) return false;
  return ownerReferences.some(
    (owner) =>
      isObject(owner) &&
      owner.controller === true &&
      typeof owner.apiVersion === 'string' &&
      typeof owner.kind === 'string' &&
      builtinGroup(owner.apiVersion) &&
      POD_KINDS.includes(owner.kind),
  );
}

/**
 * The object without `managedFields`, which repeat every name in it, and, unless they are to be believed, without the owners that it names: rules
 * spare what a controller owns, and anybody may write that his Pod is such.
 */
function withoutBookkeeping(object: JsonObject, believed: boolean): JsonObject {
  if (!isObject(object.metadata)) return object;
  const { managedFields: _, ownerReferences, ...metadata } = object.metadata;
  return { ...object, metadata: believed && ownerReferences !== undefined ? { ...metadata, ownerReferences } : metadata };
}

function metadataOf(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}
