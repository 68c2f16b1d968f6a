import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { escapeToken } from '../text/pointer.js';
import { groupOf } from './builtin-group.js';
import { containerList } from './containers.js';
import { defaultsOf, type PodTemplateRef, runAsNonRootOf, templateOfSpec } from './pod-template-ref.js';
import { templatesOfSpark } from './pod-templates-spark.js';
import { templatesOfWorkflow } from './pod-templates-workflow.js';

export type { PodTemplateRef } from './pod-template-ref.js';

type Finder = (object: JsonObject) => PodTemplateRef[];

/**
 * Where each kind keeps its pod templates. A path leads to an object with `metadata` and `spec` of a Pod; `*` stands for every item of a list or
 * every member of a mapping. Field names: the API references of the projects, v1 of each where there is one.
 */
const FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['argoproj.io/Rollout', podTemplatesAt('/spec/template')],
  ['argoproj.io/Workflow', (object) => templatesOfWorkflow(object.spec, '/spec')],
  ['argoproj.io/WorkflowTemplate', (object) => templatesOfWorkflow(object.spec, '/spec')],
  ['argoproj.io/ClusterWorkflowTemplate', (object) => templatesOfWorkflow(object.spec, '/spec')],
  ['argoproj.io/CronWorkflow', (object) => templatesOfWorkflow(at(object, '/spec/workflowSpec'), '/spec/workflowSpec')],
  ['apps.kruise.io/CloneSet', podTemplatesAt('/spec/template')],
  ['serving.knative.dev/Service', podTemplatesAt('/spec/template')],
  ['serving.kserve.io/InferenceService', templatesOfInferenceService],
  ['ray.io/RayCluster', podTemplatesAt('/spec/headGroupSpec/template', '/spec/workerGroupSpecs/*/template')],
  [
    'ray.io/RayJob',
    podTemplatesAt(
      '/spec/rayClusterSpec/headGroupSpec/template',
      '/spec/rayClusterSpec/workerGroupSpecs/*/template',
      '/spec/submitterPodTemplate',
    ),
  ],
  [
    'ray.io/RayService',
    podTemplatesAt('/spec/rayClusterConfig/headGroupSpec/template', '/spec/rayClusterConfig/workerGroupSpecs/*/template'),
  ],
  ['jobset.x-k8s.io/JobSet', podTemplatesAt('/spec/replicatedJobs/*/template/spec/template')],
  ['kubeflow.org/PyTorchJob', podTemplatesAt('/spec/pytorchReplicaSpecs/*/template')],
  ['tekton.dev/Task', (object) => templatesOfTask(object.spec, '/spec', undefined)],
  ['tekton.dev/ClusterTask', (object) => templatesOfTask(object.spec, '/spec', undefined)],
  ['tekton.dev/TaskRun', templatesOfTaskRun],
  ['sparkoperator.k8s.io/SparkApplication', (object) => templatesOfSpark(object.spec, '/spec')],
  ['sparkoperator.k8s.io/ScheduledSparkApplication', (object) => templatesOfSpark(at(object, '/spec/template'), '/spec/template')],
  ['agents.x-k8s.io/Sandbox', podTemplatesAt('/spec/podTemplate')],
  ['extensions.agents.x-k8s.io/SandboxTemplate', podTemplatesAt('/spec/podTemplate')],
]);

/** The kinds, as `group/Kind`, of which `podTemplatesOf` knows where their pod templates are. */
export const POD_TEMPLATE_KINDS: readonly string[] = [...FINDERS.keys()];

/** The pod templates that a custom resource carries, in the order of its fields. None for any other kind; parts of the wrong type are left out. */
export function podTemplatesOf(resource: { apiVersion: string; kind: string; object: JsonObject }): PodTemplateRef[] {
  return FINDERS.get(`${groupOf(resource.apiVersion)}/${resource.kind}`)?.(resource.object) ?? [];
}

function podTemplatesAt(...paths: string[]): Finder {
  return (object) => paths.flatMap((path) => podTemplatesBelow(object, path.slice(1).split('/'), ''));
}

function podTemplatesBelow(value: JsonValue | undefined, path: readonly string[], pointer: string): PodTemplateRef[] {
  const [token, ...rest] = path;
  if (token === undefined) {
    const spec = isObject(value) ? value.spec : undefined;
    return isObject(spec) ? [templateOfSpec(spec, `${pointer}/spec`)] : [];
  }
  if (token !== '*') return isObject(value) ? podTemplatesBelow(value[token], rest, `${pointer}/${token}`) : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => podTemplatesBelow(item, rest, `${pointer}/${escapeToken(key)}`));
}

function at(object: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const token of pointer.slice(1).split('/')) value = isObject(value) ? value[token] : undefined;
  return value;
}

/** Each component of an InferenceService is a Pod's spec, with a model server that is written like a container of its own. */
function templatesOfInferenceService(object: JsonObject): PodTemplateRef[] {
  const components = ['predictor', 'transformer', 'explainer'].map((name) => `/spec/${name}`);
  return [...components, '/spec/predictor/workerSpec'].flatMap((pointer) => {
    const spec = at(object, pointer);
    if (!isObject(spec)) return [];
    const template = templateOfSpec(spec, pointer);
    for (const server of MODEL_SERVERS) {
      const container = spec[server];
      if (isObject(container)) template.containers.push({ container, kind: 'app', pointer: `${pointer}/${server}` });
    }
    return [template];
  });
}

/** `model`, and the fields of single frameworks that came before it. */
const MODEL_SERVERS = 'model sklearn xgboost tensorflow pytorch triton onnx huggingface pmml lightgbm paddle art'.split(' ');

function templatesOfTaskRun(object: JsonObject): PodTemplateRef[] {
  const podTemplate = at(object, '/spec/podTemplate');
  const own = isObject(podTemplate) ? [{ ...templateOfSpec(podTemplate, '/spec/podTemplate'), containers: [] }] : [];
  return [...own, ...templatesOfTask(at(object, '/spec/taskSpec'), '/spec/taskSpec', runAsNonRootOf(podTemplate))];
}

/**
 * The Pod of a Tekton task. Its steps inherit from `stepTemplate`, its sidecars do not, so they are a template of their own. A step that refers
 * to a StepAction has nothing to evaluate here. Source: Tekton documentation, "Tasks" and "Pod templates".
 */
export function templatesOfTask(task: JsonValue | undefined, pointer: string, podRunsAsNonRoot: boolean | undefined): PodTemplateRef[] {
  if (!isObject(task)) return [];
  const steps = containerList(task.steps, `${pointer}/steps`, () => 'app').filter(({ container }) => !isObject(container.ref));
  const sidecars = containerList(task.sidecars, `${pointer}/sidecars`, () => 'sidecar');
  const stepDefaults = defaultsOf(runAsNonRootOf(task.stepTemplate) ?? podRunsAsNonRoot);
  return [
    { pointer, spec: task, containers: steps, defaults: stepDefaults },
    ...(sidecars.length === 0 ? [] : [{ pointer, spec: {}, containers: sidecars, defaults: defaultsOf(podRunsAsNonRoot) }]),
  ];
}
