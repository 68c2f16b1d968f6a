import type { CelFunction } from '../../function.js';
import { listOf, path, present, textOrEmpty } from '../../standard/values.js';

/** The audit policy of the API server. Total: a part of the wrong type counts as absent. */
export const audit: readonly CelFunction[] = [
  {
    signature: 'auditRules(dyn, dyn, dyn, dyn): list<dyn>',
    summary:
      'The rules of an audit policy that decide about requests with a verb, for an API group and a resource (`pods`, `pods/exec`), in order: those that can match such a request, up to the first that matches all of them.',
    example:
      'auditRules({"rules": [{"level": "None", "users": ["a"]}, {"level": "Metadata", "resources": [{"group": ""}]}, {"level": "Request"}]}, "get", "", "pods").map(r, r.level) == ["None", "Metadata"]',
    call: (policy: unknown, verb: unknown, group: unknown, resource: unknown) =>
      auditRules(policy, textOrEmpty(verb), textOrEmpty(group), textOrEmpty(resource)),
  },
];

/** As the API server does: k8s.io/apiserver/pkg/audit/policy/checker.go, `ruleMatches`. */
function auditRules(policy: unknown, verb: string, group: string, resource: string): unknown[] {
  const deciding: unknown[] = [];
  for (const rule of listOf(path(present(policy), 'rules'))) {
    const match = matchOf(rule, verb, group, resource);
    if (match !== 'none') deciding.push(rule);
    if (match === 'all') break;
  }
  return deciding;
}

/** Which requests with the verb for the resource a rule matches. */
function matchOf(rule: unknown, verb: string, group: string, resource: string): 'none' | 'some' | 'all' {
  const verbs = listOf(path(rule, 'verbs'));
  if (verbs.length > 0 && !verbs.includes(verb)) return 'none';
  const resources = listOf(path(rule, 'resources'));
  const namespaced = listOf(path(rule, 'namespaces')).length > 0;
  if (resources.length === 0 && !namespaced && listOf(path(rule, 'nonResourceURLs')).length > 0) return 'none';
  const named = resources.filter(
    (entry) => textOrEmpty(path(entry, 'group')) === group && names(listOf(path(entry, 'resources')), resource),
  );
  if (resources.length > 0 && named.length === 0) return 'none';
  const everyName = resources.length === 0 || named.some((entry) => listOf(path(entry, 'resourceNames')).length === 0);
  const everyUser = listOf(path(rule, 'users')).length === 0 && listOf(path(rule, 'userGroups')).length === 0;
  return everyName && everyUser && !namespaced ? 'all' : 'some';
}

/** No names stand for every resource of the group; `pods/*` also for the resource itself. */
function names(patterns: readonly unknown[], resource: string): boolean {
  const [main, sub] = resource.split('/');
  return (
    patterns.length === 0 ||
    [resource, '*', `${main}/*`, ...(sub === undefined ? [] : [`*/${sub}`])].some((name) => patterns.includes(name))
  );
}
