import type { PolicyRule } from './policy-rule.js';

/** What somebody asks of the API server: a verb on a resource, or on a URL that is not a resource. */
export type AccessRequest = ResourceRequest | UrlRequest;

export interface ResourceRequest {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, with its subresource: `pods/exec`. */
  readonly resource: string;
  /** The name of the object. Absent for requests that name none: `create`, `deletecollection`, and `list` of a whole collection. */
  readonly name?: string;
}

export interface UrlRequest {
  readonly verb: string;
  /** Such as `/metrics`. */
  readonly url: string;
}

/**
 * Whether a rule allows a request, as the RBAC authorizer of the API server decides it.
 * Source: pkg/apis/rbac/v1/evaluation_helpers.go of Kubernetes 1.36. `*` stands for everything in verbs, groups, resources and URLs; a resource may be
 * `*` followed by a subresource, and a URL may end in `*`. A rule with resource names does not allow a request that names no object.
 */
export function allows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!holds(rule.verbs, request.verb)) return false;
  if ('url' in request) return rule.nonResourceURLs.some((url) => matchesUrl(url, request.url));
  return (
    holds(rule.apiGroups, request.group) &&
    rule.resources.some((resource) => matchesResource(resource, request.resource)) &&
    (rule.resourceNames.length === 0 || (request.name !== undefined && rule.resourceNames.includes(request.name)))
  );
}

function holds(list: readonly string[], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}

function matchesResource(written: string, requested: string): boolean {
  return written === '*' || namesResource(written, requested);
}

/** Whether an item of `resources` is the resource, or its subresource of every resource. `pods/*` is not a pattern: RBAC reads it literally. */
export function namesResource(written: string, requested: string): boolean {
  const slash = requested.indexOf('/');
  return written === requested || (slash > 0 && written === `*${requested.slice(slash)}`);
}

function matchesUrl(written: string, requested: string): boolean {
  return written === '*' || written === requested || (written.endsWith('*') && requested.startsWith(written.replace(/\*+$/, '')));
}
