import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../read-document.js';
import { readObject } from '../read-object.js';
import type { JsonObject } from '../text/json.js';
import { MAX_MALFORMED } from '../text/limits.js';
import { KINDS, SHAPES } from './data/kubernetes-shapes.js';
import { dropMalformed } from './shape.js';
import { shapeOfKind } from './shape-types.js';

function check(object: JsonObject & { apiVersion: string; kind: string }): string[] {
  const messages: string[] = [];
  dropMalformed(object, (_pointer, message) => messages.push(message));
  return messages;
}

describe('fields of the wrong type', () => {
  it('are found in the pod template of a DeploymentConfig, and its own fields are left alone', () => {
    const spec = { replicas: '3', selector: { app: 'a' }, template: { spec: { hostPID: 'yes' } } };
    expect(check({ apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig', metadata: { name: 'a' }, spec })).toEqual([
      '/spec/template/spec/hostPID must be true or false, but is the string "yes". Write true or false.',
    ]);
  });

  it('give one error each, at their place, with what is expected, what was found, and the fix', () => {
    const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: 3
  annotations:
    a: true
spec:
  replicas: "3"
  paused: "true"
  minReadySeconds: 1.5
  selector: x
  template:
    spec:
      hostNetwork: 1
      containers: "x"
      initContainers:
        - just text
        - name: b
          command: run
          args: [1, "b"]
          ports:
            containerPort: 80
          env:
            - {name: A, value: 8080}
          resources: {limits: {cpu: 1, memory: [1]}}
          securityContext: [privileged]
          image: b
`;
    const { resources, errors } = readDocument({ file: 'a.yaml', index: 0, text, line: 1 });
    expect(errors.map(({ code, location }) => [code, location?.line]).every(([code]) => code === 'malformed')).toBe(true);
    expect(errors.map(({ message, location }) => `${location?.line}:${location?.column} ${message}`)).toEqual([
      '4:3 /metadata/name must be a string, but is the number 3. Quote the value.',
      '6:5 /metadata/annotations/a must be a string, but is the boolean true. Quote the value.',
      '8:3 /spec/replicas must be an integer, but is the string "3". Remove the quotes.',
      '9:3 /spec/paused must be true or false, but is the string "true". Remove the quotes.',
      '10:3 /spec/minReadySeconds must be an integer, but is the number 1.5. Write a whole number without quotes.',
      '11:3 /spec/selector must be a mapping, but is the string "x". Write "key: value" pairs below it.',
      '14:7 /spec/template/spec/hostNetwork must be true or false, but is the number 1. Write true or false.',
      '15:7 /spec/template/spec/containers must be a list, but is the string "x". Write a list, with each item after a dash.',
      '17:11 /spec/template/spec/initContainers/0 must be a mapping, but is the string "just text". Write "key: value" pairs below it.',
      '19:11 /spec/template/spec/initContainers/1/command must be a list, but is the string "run". Write a list, with each item after a dash.',
      '20:18 /spec/template/spec/initContainers/1/args/0 must be a string, but is the number 1. Quote the value.',
      '21:11 /spec/template/spec/initContainers/1/ports must be a list, but is a mapping. Write a list, with each item after a dash.',
      '24:25 /spec/template/spec/initContainers/1/env/0/value must be a string, but is the number 8080. Quote the value.',
      '25:40 /spec/template/spec/initContainers/1/resources/limits/memory must be a quantity, but is a list. Write a single value.',
      '26:11 /spec/template/spec/initContainers/1/securityContext must be a mapping, but is a list. Remove the dashes.',
    ]);
    expect(resources[0]?.name).toBe('');
    expect(resources[0]?.object).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { annotations: {} },
      spec: {
        template: {
          spec: {
            initContainers: [null, { name: 'b', args: [null, 'b'], env: [{ name: 'A' }], resources: { limits: { cpu: 1 } }, image: 'b' }],
          },
        },
      },
    });
  });

  it('are told from quantities, and from fields that take a number or a string', () => {
    expect(
      check({
        apiVersion: 'v1',
        kind: 'Pod',
        spec: {
          overhead: { cpu: 1, memory: '1Gi' },
          volumes: [{ name: 'a', emptyDir: { sizeLimit: 5 } }],
          containers: [{ livenessProbe: { httpGet: { port: 'http' } }, startupProbe: { tcpSocket: { port: 80 } } }],
        },
      }),
    ).toEqual([]);
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: '50%', maxUnavailable: 1.5 } };
    expect(check(budget)).toEqual(['/spec/maxUnavailable must be an integer or a string, but is the number 1.5. Write a whole number.']);
  });

  it('never show a value of a Secret, nor a long one', () => {
    expect(check({ apiVersion: 'v1', kind: 'Secret', stringData: { pin: 1234 }, type: false })).toEqual([
      '/stringData/pin must be a string, but is a number. Quote the value.',
      '/type must be a string, but is a boolean. Quote the value.',
    ]);
    expect(check({ apiVersion: 'v1', kind: 'Pod', spec: 'x'.repeat(41) })).toEqual([
      '/spec must be a mapping, but is a string. Write "key: value" pairs below it.',
    ]);
  });

  it('are known in removed versions of a kind by its successor', () => {
    const wrong = (apiVersion: string, kind: string) => check({ apiVersion, kind, spec: { replicas: 'x', minReplicas: 'x' } }).length;
    expect(wrong('extensions/v1beta1', 'Deployment')).toBe(1);
    expect(wrong('autoscaling/v2beta1', 'HorizontalPodAutoscaler')).toBe(1);
    expect(shapeOfKind('autoscaling/v2beta1', 'HorizontalPodAutoscaler')).toBe(shapeOfKind('autoscaling/v2', 'HorizontalPodAutoscaler'));
  });

  it('of a custom resource are searched for only in its metadata', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { labels: 'x' }, spec: { replicas: 'x' } };
    expect(check(object)).toEqual(['/metadata/labels must be a mapping, but is the string "x". Write "key: value" pairs below it.']);
    expect(object.metadata).toEqual({});
  });

  it('are not reported without end', () => {
    const args = Array.from({ length: MAX_MALFORMED + 5 }, (_, i) => i);
    const messages = check({ apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ args }] } });
    expect(messages).toHaveLength(MAX_MALFORMED + 1);
    expect(messages.at(-1)).toBe('5 more fields have values of the wrong type.');
  });

  it('are all gone from the object afterwards, whatever was in it', () => {
    const kinds = Object.keys(KINDS).map((key) => [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)] as const);
    const field = fc.constantFrom(
      ...new Set(Object.values(SHAPES).flatMap((shape) => shape.split(' ').map((part) => part.split('=')[0] ?? ''))),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('x', 1, 1.5, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.dictionary(field, value, { noNullPrototype: true }), ([apiVersion, kind], members) => {
        const [resource] = readObject({ ...members, apiVersion, kind }, { file: 'a', document: 0 }).resources;
        expect(resource && check({ ...resource.object, apiVersion, kind })).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});
