import { expect, it } from 'vitest';
import { groupsOfBuiltin } from './builtin-kinds.js';

it.each<[string, string[]]>([
  ['Pod', ['']],
  ['Deployment', ['apps']],
  ['Event', ['', 'events.k8s.io']],
  ['ClusterRole', ['rbac.authorization.k8s.io']],
  ['Rollout', []],
  ['aws_s3_bucket', []],
  ['constructor', []],
])('the API server serves %s in the groups %j', (kind, groups) => {
  expect(groupsOfBuiltin(kind)).toEqual(groups);
});
