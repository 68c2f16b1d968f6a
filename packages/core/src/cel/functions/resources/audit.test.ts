import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';

function levels(rules: unknown, verb: string, group: string, resource: string): unknown {
  return createEvaluator()
    .compile('auditRules(policy, verb, group, resource).map(r, r.?level.orValue("?"))', {
      variables: ['policy', 'verb', 'group', 'resource'],
      maxNodes: 100,
      maxNesting: 3,
    })
    .evaluate({ policy: { rules }, verb, group, resource });
}

describe('the rules of an audit policy that decide about a request', () => {
  it('end with the first that matches every such request', () => {
    const rules = [
      { level: 'None', users: ['a'] },
      { level: 'Request', userGroups: ['g'] },
      { level: 'Metadata', omitStages: ['RequestReceived'] },
      { level: 'RequestResponse' },
    ];
    expect(levels(rules, 'get', '', 'pods')).toEqual(['None', 'Request', 'Metadata']);
  });

  it('are those for the verb', () => {
    const rules = [{ level: 'None', verbs: ['watch'] }, { level: 'Request', verbs: ['create', 'get'] }, { level: 'Metadata' }];
    expect(levels(rules, 'get', '', 'pods')).toEqual(['Request']);
    expect(levels(rules, 'watch', '', 'pods')).toEqual(['None']);
    expect(levels(rules, 'delete', '', 'pods')).toEqual(['Metadata']);
  });

  it('name the resource, all resources of its group, or none', () => {
    const named = (...resources: string[]) => [{ level: 'Metadata', resources: [{ group: '', resources }] }];
    for (const name of ['pods/exec', 'pods/*', '*/exec', '*']) expect(levels(named(name), 'get', '', 'pods/exec')).toEqual(['Metadata']);
    for (const name of ['pods', 'exec', '*/attach', 'services/*', '*/*']) expect(levels(named(name), 'get', '', 'pods/exec')).toEqual([]);
    expect(levels(named('pods/*'), 'get', '', 'pods')).toEqual(['Metadata']);
    expect(levels(named('*/exec'), 'get', '', 'pods')).toEqual([]);
    expect(levels([{ level: 'Metadata', resources: [{ group: 'apps' }] }], 'get', 'apps', 'deployments')).toEqual(['Metadata']);
    expect(levels([{ level: 'Metadata', resources: [{ group: 'apps' }] }], 'get', '', 'pods')).toEqual([]);
    expect(levels([{ level: 'Metadata', resources: [] }], 'get', '', 'pods')).toEqual(['Metadata']);
  });

  it('go on after a rule for some namespaces or some objects', () => {
    const rules = [
      { level: 'None', namespaces: ['dev'] },
      { level: 'Request', resources: [{ group: '', resources: ['*'], resourceNames: ['x'] }] },
      { level: 'Metadata' },
    ];
    expect(levels(rules, 'get', '', 'pods')).toEqual(['None', 'Request', 'Metadata']);
  });

  it('are not those for URLs, unless they also name namespaces or resources', () => {
    expect(levels([{ level: 'None', nonResourceURLs: ['*'] }, { level: 'Metadata' }], 'get', '', 'pods')).toEqual(['Metadata']);
    expect(levels([{ level: 'None', nonResourceURLs: ['*'], namespaces: ['dev'] }], 'get', '', 'pods')).toEqual(['None']);
  });

  it('are none of anything that is not a policy', () => {
    for (const rules of [undefined, 'x', 7, {}]) expect(levels(rules, 'get', '', 'pods')).toEqual([]);
    expect(levels(['x', null, { verbs: 'get', resources: [7] }], 'get', '', 'pods')).toEqual(['?']);
  });
});
