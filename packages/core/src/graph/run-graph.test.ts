import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { endWith, findingOn, graphOf, graphOfFiles } from './graph.test-support.js';
import { writeGraphJson } from './json.js';
import type { Graph } from './model.js';
import { GRAPH_SCHEMA } from './schema.js';

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  template:
    spec:
      serviceAccountName: web
      containers: [{ name: a, envFrom: [{ secretRef: { name: login } }] }]
---
{ apiVersion: v1, kind: Service, metadata: { name: web, namespace: shop }, spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] } }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: web, namespace: shop } }
`;
const apps = { api_version: 'apps/v1' };

const nodeOf = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id);
const edgeTo = (graph: Graph, id: string) => graph.edges.find(({ to }) => to === id);

describe('findings', () => {
  it('are counted on the node of their resource, by severity and by rule', async () => {
    const graph = await graphOf(WEB, {
      findings: [
        findingOn('Deployment shop/web', '/spec/replicas', { ...apps, severity: 'LOW', rule_id: 'XX-002' }),
        findingOn('Deployment shop/web', '/spec/template', { ...apps, severity: 'HIGH' }),
        findingOn('Deployment shop/web', '/spec/template', { ...apps, severity: 'HIGH' }),
        findingOn('Deployment shop/web', '', { ...apps, status: 'suppressed' }),
        findingOn('Deployment shop/web', '', { ...apps, status: 'error' }),
        findingOn('Deployment shop/web', '', { ...apps, status: 'pass' }),
      ],
    });
    expect(nodeOf(graph, 'Deployment/shop/web')).toMatchObject({
      worst: 'HIGH',
      findings: { HIGH: 2, LOW: 1 },
      suppressed: 1,
      errors: 1,
      rules: [
        { rule_id: 'XX-001', count: 2 },
        { rule_id: 'XX-002', count: 1 },
      ],
    });
    expect(Object.keys(nodeOf(graph, 'Deployment/shop/web')?.findings ?? {})).toEqual(['HIGH', 'LOW']);
    expect(graph.rules['XX-002']).toEqual({ severity: 'LOW', title: 'Everything is well' });
    expect(graph.edges.every(({ worst }) => worst === null)).toBe(true);
  });

  it('are also on the edge of the reference that their path points at, or into', async () => {
    const graph = await graphOf(WEB, {
      findings: [
        findingOn('Deployment shop/web', '/spec/template/spec/serviceAccountName', { ...apps, severity: 'MEDIUM' }),
        findingOn('Deployment shop/web', '/spec/template/spec/containers/0/envFrom/0/secretRef/name', { ...apps, severity: 'LOW' }),
        findingOn('Deployment shop/web', '/spec/template/spec/containers/0', { ...apps, severity: 'CRITICAL' }),
        findingOn('Service shop/web', '/spec/ports/0/targetPort', { rule_id: 'XX-003' }),
      ],
    });
    expect(edgeTo(graph, 'ServiceAccount/shop/web')?.worst).toBe('MEDIUM');
    expect(edgeTo(graph, 'Secret/shop/login')?.worst).toBe('LOW');
    expect(edgeTo(graph, 'Pods/shop/app=web')?.rules).toEqual([{ rule_id: 'XX-003', count: 1 }]);
    expect(nodeOf(graph, 'Deployment/shop/web')?.findings).toEqual({ CRITICAL: 1, MEDIUM: 1, LOW: 1 });
  });

  it('on one of several definitions of an object are on the one in their file', async () => {
    const pod = '{ apiVersion: v1, kind: Pod, metadata: { name: a } }';
    const graph = await graphOfFiles(
      { 'a.yaml': pod, 'b.yaml': `${pod}\n---\n${pod}\n` },
      { findings: [findingOn('Pod a', '', { location: { file: 'b.yaml', line: 3, column: 1 } })] },
    );
    expect(graph.nodes.map(({ id, worst }) => [id, worst])).toEqual([
      ['Pod/default/a', null],
      ['Pod/default/a#2', null],
      ['Pod/default/a#3', 'HIGH'],
    ]);
  });

  it('on what is not drawn are in the legend, and so are findings on what is not in the graph', async () => {
    const graph = await graphOf(WEB, {
      findings: [
        findingOn('Role shop/web', '', { api_version: 'rbac.authorization.k8s.io/v1', severity: 'CRITICAL' }),
        findingOn('Pod shop/new', '', { severity: 'LOW' }),
      ],
    });
    expect(graph.legend.not_drawn).toEqual([
      expect.objectContaining({ kind: 'Role', count: 1, worst: 'CRITICAL', findings: { CRITICAL: 1 } }),
    ]);
    expect(graph.legend.elsewhere).toMatchObject({ worst: 'LOW', findings: { LOW: 1 } });
    expect(graph.nodes.some(({ kind }) => kind === 'Role')).toBe(false);
  });
});

describe('what must not be taken for checked', () => {
  it('is marked: kinds without a rule, checks without an answer, and what was not read', async () => {
    const check = {
      ...findingOn('Deployment shop/web', '/spec/template/spec/serviceAccountName', apps),
      reason: 'outside-input',
      message: 'x',
    } as const;
    const errors = [{ code: 'yaml-syntax' as const, message: 'Broken.', location: { file: 'x.yaml', line: 1, column: 1 } }];
    const notes = [{ code: 'files-skipped' as const, message: 'Skipped.', count: 1, first: ['y'] }];
    const summary = { unchecked: [{ kind: 'Service', count: 1 }], undecided: { checks: 1, reasons: [], more_reasons: 0 } };
    const graph = await graphOf(WEB, { end: endWith({ undecided: [check], errors, notes }, summary) });
    expect(nodeOf(graph, 'Service/shop/web')?.checked).toBe(false);
    expect(nodeOf(graph, 'Deployment/shop/web')).toMatchObject({ checked: true, undecided: 1 });
    expect(nodeOf(graph, 'Secret/shop/login')).toMatchObject({ checked: null, evaluated: null });
    expect(edgeTo(graph, 'ServiceAccount/shop/web')?.undecided).toBe(1);
    expect(graph.legend).toMatchObject({ unchecked: summary.unchecked, undecided: 1, errors, notes });
  });
});

describe('a graph in JSON', () => {
  it('matches its schema, is sorted, and is the same for the same input in any order of documents', async () => {
    const [first, second, third] = WEB.split('---');
    const findings = [findingOn('Deployment shop/web', '/spec/template/spec/serviceAccountName', apps), findingOn('Service shop/web', '')];
    const text = await jsonOf(await graphOf(WEB, { findings }));
    const graph: Graph = JSON.parse(text);
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(GRAPH_SCHEMA);
    expect(validate(graph), JSON.stringify(validate.errors)).toBe(true);
    const ids = graph.nodes.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    const turned = await graphOf([third, second, first].join('\n---'), { findings: findings.toReversed() });
    const withoutPlaces = (one: Graph) => JSON.stringify(one, (key, value) => (key === 'location' ? undefined : value));
    expect(withoutPlaces(turned)).toBe(withoutPlaces(graph));
  });
});

async function jsonOf(graph: Graph): Promise<string> {
  let text = '';
  await writeGraphJson(graph, {
    write: (chunk) => {
      text += chunk;
    },
  });
  return text;
}
