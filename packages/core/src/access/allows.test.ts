import { describe, expect, it } from 'vitest';
import { type AccessRequest, allows } from './allows.js';
import { policyRule } from './policy-rule.js';

const SECRETS: AccessRequest = { verb: 'get', group: '', resource: 'secrets' };
const EXEC: AccessRequest = { verb: 'create', group: '', resource: 'pods/exec' };

function allowed(rule: object, request: AccessRequest): boolean {
  return allows(policyRule(rule), request);
}

describe('a rule of a role', () => {
  it.each<[string, object, AccessRequest]>([
    ['every verb', { apiGroups: [''], resources: ['secrets'], verbs: ['*'] }, SECRETS],
    ['every group', { apiGroups: ['*'], resources: ['secrets'], verbs: ['get'] }, SECRETS],
    ['every resource', { apiGroups: [''], resources: ['*'], verbs: ['get'] }, SECRETS],
    ['every resource, subresources included', { apiGroups: [''], resources: ['*'], verbs: ['create'] }, EXEC],
    ['a subresource', { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] }, EXEC],
    ['a subresource of every resource', { apiGroups: [''], resources: ['*/exec'], verbs: ['create'] }, EXEC],
    ['a named object', { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a'] }, { ...SECRETS, name: 'a' }],
    ['one of its items', { apiGroups: ['apps', ''], resources: ['pods', 'secrets'], verbs: ['list', 'get'] }, SECRETS],
    ['every URL', { nonResourceURLs: ['*'], verbs: ['get'] }, { verb: 'get', url: '/metrics' }],
    ['a URL', { nonResourceURLs: ['/metrics'], verbs: ['get'] }, { verb: 'get', url: '/metrics' }],
    ['what begins like a URL', { nonResourceURLs: ['/healthz/*'], verbs: ['get'] }, { verb: 'get', url: '/healthz/etcd' }],
  ])('allows %s', (_, rule, request) => {
    expect(allowed(rule, request)).toBe(true);
  });

  it.each<[string, object, AccessRequest]>([
    ['another verb', { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'GET'] }, SECRETS],
    ['another group', { apiGroups: ['apps'], resources: ['secrets'], verbs: ['get'] }, SECRETS],
    ['a group that is not named', { resources: ['secrets'], verbs: ['get'] }, SECRETS],
    ['a subresource by its resource', { apiGroups: [''], resources: ['pods'], verbs: ['create'] }, EXEC],
    ['a resource by its subresource', { apiGroups: [''], resources: ['secrets/status', '*/status'], verbs: ['get'] }, SECRETS],
    ['`pods/*`, which RBAC reads literally', { apiGroups: [''], resources: ['pods/*', '*/*'], verbs: ['create'] }, EXEC],
    ['another name', { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['b'] }, { ...SECRETS, name: 'a' }],
    [
      'a collection by names',
      { apiGroups: [''], resources: ['secrets'], verbs: ['*'], resourceNames: ['a'] },
      { ...SECRETS, verb: 'create' },
    ],
    ['`*` as a name', { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['*'] }, { ...SECRETS, name: 'a' }],
    ['a URL by a resource', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, { verb: 'get', url: '/metrics' }],
    ['a resource by a URL', { nonResourceURLs: ['*'], verbs: ['*'] }, SECRETS],
    ['a URL without its last slash', { nonResourceURLs: ['/healthz/*'], verbs: ['get'] }, { verb: 'get', url: '/healthz' }],
    ['parts of the wrong type', { apiGroups: '', resources: { secrets: true }, verbs: [7] }, SECRETS],
  ])('does not allow %s', (_, rule, request) => {
    expect(allowed(rule, request)).toBe(false);
  });
});
