import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { type ContainerRef, containersOfSpec } from './containers.js';

/** A pod template, or what stands for one, inside a custom resource. */
export interface PodTemplateRef {
  /** JSON Pointer of `spec`, from the root of the object. */
  pointer: string;
  /** The spec of the Pod, or the mapping that carries the same fields (hostNetwork, volumes, …); empty where another template of the object has it. */
  spec: JsonObject;
  containers: ContainerRef[];
  /** What a container inherits where it sets nothing itself; absent = not set anywhere. */
  defaults: { runAsNonRoot?: boolean };
}

/** The template of a Pod's spec. */
export function templateOfSpec(spec: JsonObject, pointer: string): PodTemplateRef {
  return { pointer, spec, containers: containersOfSpec(spec, pointer), defaults: defaultsOf(runAsNonRootOf(spec)) };
}

/** `securityContext.runAsNonRoot` of a Pod's spec or of a container. */
export function runAsNonRootOf(holder: JsonValue | undefined): boolean | undefined {
  const context = isObject(holder) ? holder.securityContext : undefined;
  const value = isObject(context) ? context.runAsNonRoot : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

export function defaultsOf(runAsNonRoot: boolean | undefined): PodTemplateRef['defaults'] {
  return runAsNonRoot === undefined ? {} : { runAsNonRoot };
}
