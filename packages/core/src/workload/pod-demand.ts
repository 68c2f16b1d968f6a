import { type ContainerRef, containersOf, isObject, type JsonObject, type JsonValue, type Pod } from '../resource/index.js';
import { BYTES_PER_GIB, parseQuantity } from './quantity.js';

/** What the scheduler reserves for a pod. */
export interface PodDemand {
  vcpu: number;
  memoryGib: number;
  gpu: number;
  /** Containers that ask for no processor or no memory, nor limit it. */
  unspecified: string[];
  /** Fields that hold no quantity. */
  malformed: string[];
  /** Resources of accelerators that are not GPUs, by name: `aws.amazon.com/neuron`. */
  accelerators: string[];
}

/** For a container that says nothing: enough for it to start, and less than most use. */
const ASSUMED = { vcpu: 0.1, memoryGib: 0.125 } as const;

const GPU_RESOURCES = ['nvidia.com/gpu', 'amd.com/gpu'] as const;

/** Device plugins of AWS (Trainium, Inferentia), Google (TPU), Intel (Gaudi, GPUs), and slices of GPUs of NVIDIA. */
const OTHER_ACCELERATORS =
  /^(?:aws\.amazon\.com\/neuron\w*|google\.com\/tpu|habana\.ai\/gaudi|gpu\.intel\.com\/\w+|nvidia\.com\/mig-[\w.]+)$/;

/**
 * As the scheduler counts: containers and sidecars run together; an init container runs beside the sidecars that come before it. What is not
 * requested is the limit, as the API server fills it in. Overhead of the runtime comes on top; resources of the whole pod go before all.
 * Source: https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function demandOf(pod: Pod): PodDemand {
  const demand: PodDemand = { ...NOTHING, unspecified: [], malformed: [], accelerators: [] };
  const containers = containersOf(pod);
  const steady = containers.filter(({ kind }) => kind === 'app' || kind === 'sidecar').map((ref) => amountsOf(ref, demand, ASSUMED));
  const peaks = initPeaks(containers, demand);
  const whole = isObject(pod.spec.resources) ? resourcesOf(pod.spec.resources, `${pod.pointer}/spec/resources`, demand) : {};
  const overhead = isObject(pod.spec.overhead) ? valuesOf(pod.spec.overhead, `${pod.pointer}/spec/overhead`, demand) : {};
  for (const name of ['vcpu', 'memoryGib', 'gpu'] as const) {
    const running = steady.reduce((sum, amounts) => sum + amounts[name], 0);
    const most = Math.max(running, ...peaks.map((amounts) => amounts[name]));
    demand[name] = (whole[name] ?? most) + (overhead[name] ?? 0);
  }
  return demand;
}

interface Amounts {
  vcpu: number;
  memoryGib: number;
  gpu: number;
}

const NOTHING: Amounts = { vcpu: 0, memoryGib: 0, gpu: 0 };

function initPeaks(containers: readonly ContainerRef[], demand: PodDemand): Amounts[] {
  const before: Amounts = { ...NOTHING };
  const peaks: Amounts[] = [];
  for (const ref of containers) {
    if (ref.kind !== 'init' && ref.kind !== 'sidecar') continue;
    const own = amountsOf(ref, { ...demand, unspecified: [] }, NOTHING);
    peaks.push({ vcpu: before.vcpu + own.vcpu, memoryGib: before.memoryGib + own.memoryGib, gpu: before.gpu + own.gpu });
    if (ref.kind === 'sidecar') {
      before.vcpu += own.vcpu;
      before.memoryGib += own.memoryGib;
      before.gpu += own.gpu;
    }
  }
  return peaks;
}

function amountsOf({ container, pointer }: ContainerRef, demand: PodDemand, assumed: Omit<Amounts, 'gpu'>): Amounts {
  const amounts = isObject(container.resources) ? resourcesOf(container.resources, `${pointer}/resources`, demand) : {};
  if (amounts.vcpu === undefined || amounts.memoryGib === undefined) {
    const name = typeof container.name === 'string' ? container.name : pointer;
    if (assumed.vcpu > 0) demand.unspecified.push(name);
  }
  return { vcpu: amounts.vcpu ?? assumed.vcpu, memoryGib: amounts.memoryGib ?? assumed.memoryGib, gpu: amounts.gpu ?? 0 };
}

function resourcesOf(resources: JsonObject, pointer: string, demand: PodDemand): Partial<Amounts> {
  const requests = isObject(resources.requests) ? valuesOf(resources.requests, `${pointer}/requests`, demand) : {};
  const limits = isObject(resources.limits) ? valuesOf(resources.limits, `${pointer}/limits`, demand) : {};
  return { ...limits, ...requests };
}

function valuesOf(list: JsonObject, pointer: string, demand: PodDemand): Partial<Amounts> {
  const read = (name: string, value: JsonValue | undefined) => {
    if (value === undefined) return undefined;
    const quantity = parseQuantity(value);
    if (quantity === undefined && !demand.malformed.includes(`${pointer}/${name}`)) demand.malformed.push(`${pointer}/${name}`);
    return quantity;
  };
  const cpu = read('cpu', list.cpu);
  const memory = read('memory', list.memory);
  for (const name of Object.keys(list))
    if (name.length < 100 && OTHER_ACCELERATORS.test(name) && !demand.accelerators.includes(name)) demand.accelerators.push(name);
  const gpus = GPU_RESOURCES.flatMap((name) => read(name, list[name]) ?? []);
  return {
    ...(cpu !== undefined && { vcpu: cpu }),
    ...(memory !== undefined && { memoryGib: memory / BYTES_PER_GIB }),
    ...(gpus.length > 0 && { gpu: gpus.reduce((sum, count) => sum + count, 0) }),
  };
}
