import type { Resource } from '../resource/index.js';
import { workloadId } from './workload.js';

/** What estimates and prices call a resource: the address of Terraform, `apps/Deployment/shop/checkout` for others. */
export function resourceId(resource: Resource): string {
  return resource.terraform === undefined ? workloadId(resource) : resource.name;
}

/**
 * Tells whether the resource that a part belongs to is on one side only, or not the same on both.
 * A part is called as its resource is, or so with `#part` or `@place` behind it.
 */
export function changesBetween(current: readonly Resource[], proposed: readonly Resource[]): (part: string) => boolean {
  const before = textsOf(current);
  const after = textsOf(proposed);
  const changed = new Set([...before.keys(), ...after.keys()].filter((id) => before.get(id) !== after.get(id)));
  const known = (id: string) => before.has(id) || after.has(id);
  return (part) => {
    const cut = Math.max(part.lastIndexOf('#'), part.lastIndexOf('@'));
    return changed.has(known(part) || cut < 0 ? part : part.slice(0, cut));
  };
}

function textsOf(resources: readonly Resource[]): ReadonlyMap<string, string> {
  return new Map(resources.map((resource) => [resourceId(resource), JSON.stringify([resource.object, resource.unknown])]));
}
