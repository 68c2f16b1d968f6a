import { exactSum } from '@bylaw/core/number';
import { isObject, type JsonObject, type Pod } from '@bylaw/core/resource';
import type { Provider } from '@bylaw/core/workload';
import { machineOf } from '../factors/index.js';
import type { CarbonItem } from './carbon-item.js';

/** Machines that pods run on. */
export interface NodeGroup {
  instance_type: string;
  count: number;
  match?: { readonly [label: string]: string };
}

/** The first group whose labels the pod asks for; else the first that asks for none. */
export function groupOfPod(pod: Pod, groups: readonly NodeGroup[]): NodeGroup | undefined {
  const selector = selectorOf(pod);
  return (
    groups.find((group) => group.match !== undefined && matches(group.match, selector)) ?? groups.find((group) => group.match === undefined)
  );
}

/** The groups on which a DaemonSet runs: all, or those that have the labels that it asks for. */
export function groupsOfDaemon(pod: Pod, groups: readonly NodeGroup[]): NodeGroup[] {
  const selector = Object.entries(selectorOf(pod)).filter(([label]) => !label.startsWith('kubernetes.io/'));
  if (selector.length === 0) return [...groups];
  return groups.filter(({ match }) => match !== undefined && selector.every(([label, value]) => match[label] === value));
}

/** Labels by which clusters tell their GPUs apart: GKE, the feature discovery of NVIDIA, and Karpenter. */
const GPU_LABELS = ['cloud.google.com/gke-accelerator', 'nvidia.com/gpu.product', 'karpenter.k8s.aws/instance-gpu-name'] as const;

export function gpuOfSelector(pod: Pod): string | undefined {
  const selector = selectorOf(pod);
  const name = GPU_LABELS.map((label) => selector[label]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : undefined;
}

/**
 * What idles on the nodes belongs to the pods that they are kept for: sets for each item the part of its group that all its pods reserve.
 * Answers the groups whose pods do not fit on them.
 */
export function sharePacking(provider: Provider, placed: ReadonlyMap<NodeGroup, CarbonItem[]>, periodHours: number): NodeGroup[] {
  const overfull: NodeGroup[] = [];
  for (const [group, items] of placed) {
    const machine = machineOf(provider, group.instance_type);
    if (machine === undefined) continue;
    const running = items.map((item) => ({ item, pods: (item.count.central * item.hours.central) / periodHours }));
    const share = (unit: 'vcpu' | 'memoryGib' | 'gpu', has: number) =>
      has === 0 ? 0 : exactSum(running.map(({ item, pods }) => item.unit[unit] * pods)) / (has * group.count);
    const fill = Math.max(share('vcpu', machine.vcpu), share('memoryGib', machine.memoryGib), share('gpu', machine.gpus));
    if (fill > 1) overfull.push(group);
    for (const item of items) item.packing = Math.min(1, fill);
  }
  return overfull;
}

function selectorOf(pod: Pod): JsonObject {
  return isObject(pod.spec.nodeSelector) ? pod.spec.nodeSelector : {};
}

function matches(match: { readonly [label: string]: string }, selector: JsonObject): boolean {
  return Object.entries(match).every(([label, value]) => selector[label] === value);
}
