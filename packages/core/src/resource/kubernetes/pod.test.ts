import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../text/json.js';
import { getPointer } from '../text/pointer.js';
import { containersOf } from './containers.js';
import { POD_KINDS, podOf } from './pod.js';

const pod: JsonObject = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a' }] } };

/** A workload of each kind that carries a pod template, with its API version and the place of the template. */
const WORKLOADS: readonly (readonly [string, string, string, JsonObject])[] = [
  ['v1', 'Pod', '', pod],
  ['apps/v1', 'Deployment', '/spec/template', { spec: { template: pod } }],
  ['extensions/v1beta1', 'Deployment', '/spec/template', { spec: { template: pod } }],
  ['apps/v1', 'StatefulSet', '/spec/template', { spec: { template: pod } }],
  ['apps/v1', 'DaemonSet', '/spec/template', { spec: { template: pod } }],
  ['apps/v1', 'ReplicaSet', '/spec/template', { spec: { template: pod } }],
  ['v1', 'ReplicationController', '/spec/template', { spec: { template: pod } }],
  ['batch/v1', 'Job', '/spec/template', { spec: { template: pod } }],
  ['batch/v1', 'CronJob', '/spec/jobTemplate/spec/template', { spec: { jobTemplate: { spec: { template: pod } } } }],
  ['v1', 'PodTemplate', '/template', { template: pod }],
];

describe('the Pod of a workload', () => {
  it.each(WORKLOADS)('is found in %s %s at %j', (apiVersion, kind, pointer, object) => {
    const found = podOf({ apiVersion, kind, object });
    expect(found).toEqual({ pointer, spec: pod.spec, metadata: pod.metadata });
    expect(getPointer(object, pointer)).toBe(pod);
  });

  it('is searched for in every kind that has one', () => {
    expect(new Set(WORKLOADS.map(([, kind]) => kind))).toEqual(new Set(POD_KINDS));
  });

  it.each(['apps.openshift.io/v1', 'v1'])('is found in a DeploymentConfig of OpenShift, version %s', (apiVersion) => {
    const found = podOf({ apiVersion, kind: 'DeploymentConfig', object: { spec: { template: pod } } });
    expect(found).toEqual({ pointer: '/spec/template', spec: pod.spec, metadata: pod.metadata });
  });

  it('is absent in a kind of the same name in another group, and if the template is missing or of the wrong type', () => {
    const object = { spec: { template: pod } };
    expect(podOf({ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', object })).toBeUndefined();
    expect(podOf({ apiVersion: 'apps.example.com/v1', kind: 'DeploymentConfig', object })).toBeUndefined();
    expect(podOf({ apiVersion: 'v1', kind: 'Service', object })).toBeUndefined();
    expect(podOf({ apiVersion: 'apps/v1', kind: 'Deployment', object: {} })).toBeUndefined();
    expect(podOf({ apiVersion: 'apps/v1', kind: 'Deployment', object: { spec: { template: [] } } })).toBeUndefined();
  });

  it('has an empty spec and empty metadata where they are absent', () => {
    expect(podOf({ apiVersion: 'v1', kind: 'Pod', object: {} })).toEqual({ pointer: '', spec: {}, metadata: {} });
  });
});

describe('the containers of a Pod', () => {
  it('are the containers, the init containers with native sidecars among them, and the ephemeral ones, with their place', () => {
    const spec = {
      ephemeralContainers: [{ name: 'debug' }],
      initContainers: [{ name: 'setup' }, { name: 'proxy', restartPolicy: 'Always' }],
      containers: [null, { name: 'app' }, 'x'],
    };
    const object: JsonObject = { spec: { template: { spec } } };
    const found = podOf({ apiVersion: 'apps/v1', kind: 'Deployment', object });
    const containers = found === undefined ? [] : containersOf(found);
    expect(containers.map(({ kind, container, pointer }) => [kind, container.name, pointer])).toEqual([
      ['app', 'app', '/spec/template/spec/containers/1'],
      ['init', 'setup', '/spec/template/spec/initContainers/0'],
      ['sidecar', 'proxy', '/spec/template/spec/initContainers/1'],
      ['ephemeral', 'debug', '/spec/template/spec/ephemeralContainers/0'],
    ]);
    for (const { container, pointer } of containers) expect(getPointer(object, pointer)).toBe(container);
  });

  it('are not found in lists of the wrong type', () => {
    expect(containersOf({ pointer: '', metadata: {}, spec: { containers: 'x', initContainers: {}, ephemeralContainers: 1 } })).toEqual([]);
  });
});
