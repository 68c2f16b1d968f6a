import type { ContainerRef } from './containers.js';
import type { JsonObject } from './resource.js';

/** A pod template, or what stands for one, inside a custom resource. */
export interface PodTemplateRef {
  /** JSON Pointer of `spec`, from the root of the object. */
  pointer: string;
  /** The pod spec, or the mapping that carries its fields (hostNetwork, volumes, securityContext). */
  spec: JsonObject;
  containers: ContainerRef[];
  /** What a container inherits where it sets nothing itself. */
  defaults: { runAsNonRoot?: boolean };
}

export function podTemplatesOf(_resource: { apiVersion: string; kind: string; object: JsonObject }): PodTemplateRef[] {
  return [];
}
