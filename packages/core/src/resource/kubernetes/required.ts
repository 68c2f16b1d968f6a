import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { MAX_MALFORMED } from '../text/limits.js';
import { builtinGroup } from './builtin-group.js';
import { podPathOf } from './pod.js';
import type { ReportMalformed } from './shape.js';

/**
 * Reports what is missing in a built-in workload on the way to the images of its containers. Kube-apiserver refuses such an object, and rules about
 * containers would have nothing to look at. A value of the wrong type is not missing: it is reported as such. Ephemeral containers are not
 * created with a Pod.
 *
 * Source: ValidatePodTemplateSpec, ValidatePodTemplateSpecForRC and validateContainerCommon in pkg/apis/core/validation/validation.go of
 * Kubernetes, Apache-2.0. What the types call optional (`spec`, `image`) is required there.
 */
export function reportMissing(object: JsonObject & { apiVersion: string; kind: string }, report: ReportMalformed): void {
  const path = builtinGroup(object.apiVersion) ? podPathOf(object.kind) : undefined;
  if (path === undefined) return;
  const rejects = `the API server rejects a ${object.kind}`;
  let holder: JsonObject = object;
  let pointer = '';
  for (const name of [...path, 'spec']) {
    const value: JsonValue | undefined = holder[name];
    pointer += `/${name}`;
    if (value === undefined) report(pointer, `${pointer} is missing, and ${rejects} without it. Add it with its containers.`);
    if (!isObject(value)) return;
    holder = value;
  }
  const { containers = [], initContainers } = holder;
  if (Array.isArray(containers) && containers.length === 0) {
    const how = Object.hasOwn(holder, 'containers') ? 'empty' : 'missing';
    report(`${pointer}/containers`, `${pointer}/containers is ${how}, and ${rejects} without containers. Add at least one.`);
  }
  const lists = [withoutImage(containers, `${pointer}/containers`), withoutImage(initContainers, `${pointer}/initContainers`)].flat();
  for (const { at, how } of lists.slice(0, MAX_MALFORMED))
    report(at, `${at} is ${how}, and ${rejects} if a container has no image. Set the image; if a tool sets it, render the manifest first.`);
  const more = lists.length - MAX_MALFORMED;
  if (more > 0) report('', `${more.toLocaleString('en')} more ${more === 1 ? 'container has' : 'containers have'} no image.`);
}

/** The images that are missing. An empty item is a container without any field. */
function withoutImage(containers: JsonValue | undefined, pointer: string): { at: string; how: 'missing' | 'empty' }[] {
  if (!Array.isArray(containers)) return [];
  return containers.flatMap((container, index) => {
    const at = `${pointer}/${index}/image`;
    if (container === null) return [{ at, how: 'missing' }];
    if (!isObject(container) || (Object.hasOwn(container, 'image') && container.image !== '')) return [];
    return [{ at, how: container.image === '' ? 'empty' : 'missing' }];
  });
}
