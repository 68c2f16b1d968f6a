import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../text/json.js';
import { getPointer } from '../text/pointer.js';
import { POD_TEMPLATE_KINDS, podTemplatesOf } from './pod-templates.js';

const container = (name: string): JsonObject => ({ name, image: `${name}:1` });
const podSpec = (name: string): JsonObject => ({ containers: [container(name)], securityContext: { runAsNonRoot: true } });
const template = (name: string): JsonObject => ({ spec: podSpec(name) });

function templates(apiVersion: string, kind: string, spec: JsonValue) {
  const object: JsonObject = { apiVersion, kind, spec };
  const found = podTemplatesOf({ apiVersion, kind, object });
  for (const { pointer, containers } of found) {
    expect(getPointer(object, pointer)).toBeDefined();
    for (const ref of containers) expect(getPointer(object, ref.pointer)).toBe(ref.container);
  }
  return found.map(({ pointer, containers, defaults }) => [
    pointer,
    containers.map((ref) => `${ref.kind} ${ref.container.name}`),
    defaults,
  ]);
}

describe('pod templates of custom resources', () => {
  it.each([
    ['argoproj.io/v1alpha1', 'Rollout', { template: template('a') }, ['/spec/template/spec']],
    ['apps.kruise.io/v1alpha1', 'CloneSet', { template: template('a') }, ['/spec/template/spec']],
    ['serving.knative.dev/v1', 'Service', { template: template('a') }, ['/spec/template/spec']],
    ['agents.x-k8s.io/v1alpha1', 'Sandbox', { podTemplate: template('a') }, ['/spec/podTemplate/spec']],
    ['extensions.agents.x-k8s.io/v1alpha1', 'SandboxTemplate', { podTemplate: template('a') }, ['/spec/podTemplate/spec']],
    [
      'kubeflow.org/v1',
      'PyTorchJob',
      { pytorchReplicaSpecs: { Master: { template: template('a') }, 'Wor/ker': { template: template('b') } } },
      ['/spec/pytorchReplicaSpecs/Master/template/spec', '/spec/pytorchReplicaSpecs/Wor~1ker/template/spec'],
    ],
    [
      'jobset.x-k8s.io/v1alpha2',
      'JobSet',
      { replicatedJobs: [{ template: { spec: { template: template('a') } } }] },
      ['/spec/replicatedJobs/0/template/spec/template/spec'],
    ],
    [
      'ray.io/v1',
      'RayCluster',
      { headGroupSpec: { template: template('a') }, workerGroupSpecs: [{ template: template('b') }] },
      ['/spec/headGroupSpec/template/spec', '/spec/workerGroupSpecs/0/template/spec'],
    ],
    [
      'ray.io/v1',
      'RayJob',
      { rayClusterSpec: { headGroupSpec: { template: template('a') } }, submitterPodTemplate: template('b') },
      ['/spec/rayClusterSpec/headGroupSpec/template/spec', '/spec/submitterPodTemplate/spec'],
    ],
    [
      'ray.io/v1',
      'RayService',
      { rayClusterConfig: { workerGroupSpecs: [{ template: template('a') }] } },
      ['/spec/rayClusterConfig/workerGroupSpecs/0/template/spec'],
    ],
  ] as const)('are found in %s %s', (apiVersion, kind, spec, pointers) => {
    const found = templates(apiVersion, kind, structuredClone(spec) as unknown as JsonValue);
    expect(found.map(([pointer]) => pointer)).toEqual(pointers);
    for (const [, , defaults] of found) expect(defaults).toEqual({ runAsNonRoot: true });
  });

  it('are the components of an InferenceService, each with its model server', () => {
    const spec = {
      predictor: { model: { name: 'm' }, workerSpec: podSpec('w'), securityContext: { runAsNonRoot: false } },
      transformer: { ...podSpec('t'), initContainers: [container('i')] },
    };
    expect(templates('serving.kserve.io/v1beta1', 'InferenceService', spec)).toEqual([
      ['/spec/predictor', ['app m'], { runAsNonRoot: false }],
      ['/spec/transformer', ['app t', 'init i'], { runAsNonRoot: true }],
      ['/spec/predictor/workerSpec', ['app w'], { runAsNonRoot: true }],
    ]);
  });

  it('are the driver and the executors of a Spark application, and the volumes that both share', () => {
    const spec = {
      volumes: [{ name: 'data', emptyDir: {} }],
      driver: { name: 'd', podSecurityContext: { runAsNonRoot: true }, sidecars: [container('s')], initContainers: [container('i')] },
      executor: { name: 'e', template: { spec: { hostPID: true, securityContext: { runAsNonRoot: false } } } },
    };
    const expected = (pointer: string) => [
      [pointer, [], {}],
      [`${pointer}/driver`, ['app d'], { runAsNonRoot: true }],
      [`${pointer}/driver`, ['init i', 'sidecar s'], { runAsNonRoot: true }],
      [`${pointer}/executor`, ['app e'], { runAsNonRoot: false }],
      [`${pointer}/executor/template/spec`, [], { runAsNonRoot: false }],
    ];
    expect(templates('sparkoperator.k8s.io/v1beta2', 'SparkApplication', spec)).toEqual(expected('/spec'));
    expect(templates('sparkoperator.k8s.io/v1beta2', 'ScheduledSparkApplication', { template: spec })).toEqual(expected('/spec/template'));
  });

  it('take the first container of the template of a Spark driver for its main container, which the driver overrides', () => {
    const driver = (more: JsonObject) => ({
      driver: { name: 'd', template: { spec: { containers: [container('t'), container('u')] } }, ...more },
    });
    expect(templates('sparkoperator.k8s.io/v1beta2', 'SparkApplication', driver({}))).toEqual([
      ['/spec', [], {}],
      ['/spec/driver', [], {}],
      ['/spec/driver/template/spec', ['app t'], {}],
      ['/spec/driver/template/spec', ['app u'], {}],
    ]);
    const mounting = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    expect(templates('sparkoperator.k8s.io/v1beta2', 'SparkApplication', driver(mounting))).toContainEqual(['/spec/driver', ['app d'], {}]);
    expect(templates('sparkoperator.k8s.io/v1beta2', 'SparkApplication', driver({ securityContext: { runAsNonRoot: true } }))).toEqual([
      ['/spec', [], {}],
      ['/spec/driver', ['app d'], {}],
      ['/spec/driver/template/spec', ['app t'], { runAsNonRoot: true }],
      ['/spec/driver/template/spec', ['app u'], {}],
    ]);
  });

  it('are the templates of an Argo workflow, and what the workflow sets for all of them', () => {
    const spec = {
      hostNetwork: true,
      securityContext: { runAsNonRoot: false },
      templateDefaults: { container: { securityContext: { runAsNonRoot: true } } },
      templates: [
        { name: 'one', container: container('a'), initContainers: [container('b')], sidecars: [container('c')] },
        { name: 'two', script: container('d'), securityContext: { runAsNonRoot: true } },
        { name: 'set', containerSet: { containers: [container('e'), 'no container'] } },
        { name: 'steps', steps: [[{ inline: { container: container('f') } }]] },
        { name: 'dag', dag: { tasks: [{ inline: { script: container('g') } }] } },
      ],
    };
    const expected = (pointer: string) => [
      [pointer, [], {}],
      [`${pointer}/templateDefaults`, [], {}],
      [`${pointer}/templates/0`, ['app a', 'init b', 'sidecar c'], { runAsNonRoot: true }],
      [`${pointer}/templates/1`, ['app d'], { runAsNonRoot: true }],
      [`${pointer}/templates/2`, ['app e'], { runAsNonRoot: false }],
      [`${pointer}/templates/3`, [], { runAsNonRoot: false }],
      [`${pointer}/templates/3/steps/0/0/inline`, ['app f'], { runAsNonRoot: true }],
      [`${pointer}/templates/4`, [], { runAsNonRoot: false }],
      [`${pointer}/templates/4/dag/tasks/0/inline`, ['app g'], { runAsNonRoot: false }],
    ];
    for (const kind of ['Workflow', 'WorkflowTemplate', 'ClusterWorkflowTemplate']) {
      expect(templates('argoproj.io/v1alpha1', kind, spec)).toEqual(expected('/spec'));
    }
    expect(templates('argoproj.io/v1alpha1', 'CronWorkflow', { workflowSpec: spec })).toEqual(expected('/spec/workflowSpec'));
  });

  it('are the steps and the sidecars of a Tekton task, of which only the steps inherit from stepTemplate', () => {
    const task = {
      stepTemplate: { securityContext: { runAsNonRoot: true } },
      steps: [container('a'), { name: 'b', ref: { name: 'step-action' } }],
      sidecars: [container('c')],
    };
    expect(templates('tekton.dev/v1', 'Task', task)).toEqual([
      ['/spec', ['app a'], { runAsNonRoot: true }],
      ['/spec', ['sidecar c'], {}],
    ]);
    const run = { podTemplate: { securityContext: { runAsNonRoot: true }, hostNetwork: true }, taskSpec: { steps: [container('a')] } };
    expect(templates('tekton.dev/v1', 'TaskRun', run)).toEqual([
      ['/spec/podTemplate', [], { runAsNonRoot: true }],
      ['/spec/taskSpec', ['app a'], { runAsNonRoot: true }],
    ]);
  });

  it('are not found in other kinds and groups, or in parts of the wrong type', () => {
    expect(templates('v1', 'Service', { template: template('a') })).toEqual([]);
    expect(templates('example.com/v1', 'Rollout', { template: template('a') })).toEqual([]);
    for (const known of POD_TEMPLATE_KINDS) {
      const [group, kind = ''] = known.split('/');
      for (const spec of ['x', 3, [], [1], { template: 'x', templates: [1], steps: 'x', predictor: [], workerGroupSpecs: { a: 1 } }]) {
        expect(templates(`${group}/v1`, kind, spec).flatMap(([, containers]) => containers)).toEqual([]);
      }
    }
  });
});
