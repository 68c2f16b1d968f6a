import type { CelFunction } from '../function.js';
import { listOf, member, path, present } from '../values.js';

/** Where Pods come from. Total: a part of the wrong type counts as absent. */
export const pods: readonly CelFunction[] = [
  {
    signature: 'isStaticPod(dyn, dyn): bool',
    summary:
      'Whether the Pod (or template) is a static Pod: annotation kubernetes.io/config.source or config.mirror, or label tier: control-plane in kube-system.',
    example: 'isStaticPod({}, {"annotations": {"kubernetes.io/config.source": "file"}})',
    call: (object: unknown, podMetadata: unknown) => {
      const metadata = present(podMetadata);
      const annotation = (name: string) => path(metadata, 'annotations', name) !== undefined;
      const controlPlane = path(metadata, 'labels', 'tier') === 'control-plane' && namespaceOf(object, metadata) === 'kube-system';
      return annotation('kubernetes.io/config.source') || annotation('kubernetes.io/config.mirror') || controlPlane;
    },
  },
  {
    signature: 'isMirrorPod(dyn): bool',
    summary: 'Whether the metadata carry the annotation kubernetes.io/config.mirror.',
    example: 'isMirrorPod({"annotations": {"kubernetes.io/config.mirror": "abc"}})',
    call: (podMetadata: unknown) => path(present(podMetadata), 'annotations', 'kubernetes.io/config.mirror') !== undefined,
  },
  {
    signature: 'ownedByDaemonSet(dyn): bool',
    summary: 'Whether the object is a DaemonSet, or an ownerReference of it names one.',
    example: 'ownedByDaemonSet({"metadata": {"ownerReferences": [{"kind": "DaemonSet", "name": "x"}]}})',
    call: (object: unknown) => {
      const inner = present(object);
      const owners = listOf(path(inner, 'metadata', 'ownerReferences'));
      return member(inner, 'kind') === 'DaemonSet' || owners.some((owner) => member(owner, 'kind') === 'DaemonSet');
    },
  },
];

function namespaceOf(object: unknown, podMetadata: unknown): unknown {
  return path(present(object), 'metadata', 'namespace') ?? member(podMetadata, 'namespace');
}
