import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { builtinGroup } from './builtin-group.js';

/** A Pod, or the template from which a workload makes its Pods. */
export interface Pod {
  /** JSON Pointer of the object that holds `metadata` and `spec` of the Pod: empty for a Pod, `/spec/template` for a Deployment. */
  pointer: string;
  /** Empty where it is absent. */
  spec: JsonObject;
  /** Empty where it is absent. */
  metadata: JsonObject;
}

/** Where the built-in kinds keep their Pod. */
const POD_POINTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', []],
  ['Deployment', ['spec', 'template']],
  ['StatefulSet', ['spec', 'template']],
  ['DaemonSet', ['spec', 'template']],
  ['ReplicaSet', ['spec', 'template']],
  ['ReplicationController', ['spec', 'template']],
  ['Job', ['spec', 'template']],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
  ['PodTemplate', ['template']],
]);

/** The kinds of which `podOf` gives a Pod. */
export const POD_KINDS: readonly string[] = [...POD_POINTERS.keys()];

/**
 * The Pod that a built-in workload runs, or a DeploymentConfig of OpenShift, which carries the same pod template in the same place. Undefined for any
 * other kind, for the same kind in another group (a Service of Knative), and where the object holds no pod template at all.
 */
export function podOf(resource: { apiVersion: string; kind: string; object: JsonObject }): Pod | undefined {
  const path = isDeploymentConfig(resource)
    ? POD_POINTERS.get('Deployment')
    : builtinGroup(resource.apiVersion)
      ? POD_POINTERS.get(resource.kind)
      : undefined;
  if (path === undefined) return undefined;
  let holder: JsonValue | undefined = resource.object;
  for (const name of path) holder = isObject(holder) ? holder[name] : undefined;
  if (!isObject(holder)) return undefined;
  return {
    pointer: path.map((name) => `/${name}`).join(''),
    spec: isObject(holder.spec) ? holder.spec : {},
    metadata: isObject(holder.metadata) ? holder.metadata : {},
  };
}

/** The names of the members that lead to the Pod in an object of a built-in kind; undefined for a kind that holds none. */
export function podPathOf(kind: string): readonly string[] | undefined {
  return POD_POINTERS.get(kind);
}

/** Whether this is a DeploymentConfig of OpenShift, whose release 3 took it as version `v1` as well. */
export function isDeploymentConfig({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean {
  return kind === 'DeploymentConfig' && (apiVersion === 'apps.openshift.io/v1' || apiVersion === 'v1');
}
