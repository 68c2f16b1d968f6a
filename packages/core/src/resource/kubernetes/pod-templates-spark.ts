import { isObject, type JsonValue } from '../text/json.js';
import { type ContainerRef, containerList, containersOfSpec } from './containers.js';
import { defaultsOf, type PodTemplateRef, runAsNonRootOf } from './pod-template-ref.js';

/**
 * The Pods of a Spark application: one of the driver, one of the executors, and the volumes that both can mount, in a template without containers.
 * `driver` and `executor` are written like the main container and the Pod at once. Source: kubeflow/spark-operator, api/v1beta2, SparkPodSpec.
 */
export function templatesOfSpark(application: JsonValue | undefined, pointer: string): PodTemplateRef[] {
  if (!isObject(application)) return [];
  const shared: PodTemplateRef = { pointer, spec: application, containers: [], defaults: {} };
  return [shared, ...['driver', 'executor'].flatMap((role) => templatesOfRole(application[role], `${pointer}/${role}`))];
}

/** A role may also name a Pod template, whose first container is the main one; what the role itself says overrides it. */
function templatesOfRole(role: JsonValue | undefined, pointer: string): PodTemplateRef[] {
  if (!isObject(role)) return [];
  const template = isObject(role.template) && isObject(role.template.spec) ? role.template.spec : undefined;
  const inTemplate = `${pointer}/template/spec`;
  const [first, ...others] = template === undefined ? [] : containersOfSpec(template, inTemplate);
  const ofPod = runAsNonRootOf({ securityContext: role.podSecurityContext ?? null }) ?? runAsNonRootOf(template);
  const isWrittenHere = first === undefined || ['image', 'securityContext', 'volumeMounts'].some((field) => role[field] !== undefined);
  const main: ContainerRef[] = isWrittenHere ? [{ container: role, kind: 'app', pointer }] : [];
  const beside = [
    ...containerList(role.initContainers, `${pointer}/initContainers`, () => 'init'),
    ...containerList(role.sidecars, `${pointer}/sidecars`, () => 'sidecar'),
  ];
  const fromTemplate = template && {
    pointer: inTemplate,
    spec: template,
    containers: first ? [first] : [],
    defaults: defaultsOf(runAsNonRootOf(role) ?? ofPod),
  };
  return [
    { pointer, spec: role, containers: main, defaults: defaultsOf(runAsNonRootOf(first?.container) ?? ofPod) },
    ...(beside.length > 0 ? [{ pointer, spec: {}, containers: beside, defaults: defaultsOf(ofPod) }] : []),
    ...(fromTemplate ? [fromTemplate] : []),
    ...(others.length > 0 ? [{ pointer: inTemplate, spec: {}, containers: others, defaults: defaultsOf(ofPod) }] : []),
  ];
}
