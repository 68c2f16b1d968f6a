import { type PodTemplateRef, podTemplatesOf } from '../../../resource/kubernetes/pod-templates.js';
import type { JsonObject } from '../../../resource/text/json.js';
import { spendOnMembers, spendOnObjects, spendOnWhole } from '../../budget/costs.js';
import type { CelFunction } from '../../function.js';
import { madeFrom } from '../../origin.js';
import { type CelMap, isMap, listOf, member, path, present, textOrEmpty } from '../../standard/values.js';

/** Where Pods come from. Total: a part of the wrong type counts as absent. */
export const pods: readonly CelFunction[] = [
  {
    signature: 'isStaticPod(dyn, dyn): bool',
    summary:
      'Whether the Pod (or template) is a static Pod: it has the annotation kubernetes.io/config.source or config.mirror, or the label tier: control-plane in kube-system.',
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
    summary: 'Whether the metadata contains the annotation kubernetes.io/config.mirror.',
    example: 'isMirrorPod({"annotations": {"kubernetes.io/config.mirror": "abc"}})',
    call: (podMetadata: unknown) => path(present(podMetadata), 'annotations', 'kubernetes.io/config.mirror') !== undefined,
  },
  {
    signature: 'ownedByDaemonSet(dyn): bool',
    summary: 'Whether the object is a DaemonSet, or has an ownerReference to one.',
    example: 'ownedByDaemonSet({"metadata": {"ownerReferences": [{"kind": "DaemonSet", "name": "x"}]}})',
    call: (object: unknown) => ownedByDaemonSet(present(object)),
  },
  {
    signature: 'isNodeAgent(dyn, dyn): bool',
    summary:
      'Whether an object with this Pod spec looks like a node agent: a DaemonSet, a Pod of a DaemonSet, or a Pod that mounts host directories. Only its author knows what it needs from the node.',
    example:
      'isNodeAgent({"kind": "DaemonSet"}, {}) && isNodeAgent({}, {"volumes": [{"hostPath": {"path": "/var/log"}}]}) && !isNodeAgent({}, {})',
    call: (object: unknown, podSpec: unknown) =>
      ownedByDaemonSet(present(object)) ||
      listOf(path(present(podSpec), 'volumes')).some((volume) => path(volume, 'hostPath') !== undefined),
  },
  {
    signature: 'isWindows(dyn): bool',
    summary:
      'Whether a Pod spec is for Windows: spec.os.name is windows; or spec.os.name is absent, and the nodeSelector or the required node affinity admits only Windows nodes, or a container runs as a Windows HostProcess.',
    example: 'isWindows({"os": {"name": "windows"}}) && isWindows({"nodeSelector": {"kubernetes.io/os": "windows"}}) && !isWindows({})',
    call: (podSpec: unknown) => isWindowsOnce(present(podSpec)),
  },
  {
    signature: 'podTemplates(dyn): list<dyn>',
    summary:
      'The Pod templates in a custom resource (Argo, Tekton, Knative, KServe, Ray, JobSet, …), as {spec, containers, defaults}: the Pod spec or the object in its place, its containers, and the runAsNonRoot that they inherit, if it is set. In `each`, a finding is located at the spec of the template.',
    example: 'podTemplates({"apiVersion": "v1", "kind": "ConfigMap"}) == []',
    call: (object: unknown) => templatesOf(present(object)),
  },
  {
    signature: 'templateContainers(dyn): list<dyn>',
    summary:
      'The containers of all Pod templates in a custom resource, as {container, spec, defaults}: with the spec of their template, and the runAsNonRoot that they inherit, if it is set. In `each`, a finding is located at the container.',
    example: 'templateContainers({"apiVersion": "v1", "kind": "ConfigMap"}) == []',
    call: (object: unknown) => templateContainersOf(present(object)),
  },
  {
    signature: 'templateVolumes(dyn): list<dyn>',
    summary:
      'The volumes of all Pod templates in a custom resource, as {volume, mounts}: with the mounts of the volume, each as {container, mount}. In `each`, a finding is located at the volume.',
    example: 'templateVolumes({"apiVersion": "v1", "kind": "ConfigMap"}) == []',
    call: (object: unknown) => templateVolumesOf(present(object)),
  },
];

function ownedByDaemonSet(object: unknown): boolean {
  const owners = listOf(path(object, 'metadata', 'ownerReferences'));
  return member(object, 'kind') === 'DaemonSet' || owners.some((owner) => member(owner, 'kind') === 'DaemonSet');
}

/** The label that the kubelet sets on its node, and its name before Kubernetes 1.14. */
const OS_LABELS = ['kubernetes.io/os', 'beta.kubernetes.io/os'];

/** Rules ask for every container, and the answer looks at all of them. */
const windows = new WeakMap<object, boolean>();

function isWindowsOnce(podSpec: unknown): boolean {
  if (!isMap(podSpec)) return false;
  const known = windows.get(podSpec) ?? isWindows(podSpec);
  windows.set(podSpec, known);
  return known;
}

function isWindows(podSpec: unknown): boolean {
  const declared = path(podSpec, 'os', 'name');
  if (typeof declared === 'string' && declared !== '') return declared === 'windows';
  const selector = path(podSpec, 'nodeSelector');
  return OS_LABELS.some((label) => member(selector, label) === 'windows') || affinityIsWindows(podSpec) || runsOnWindowsHost(podSpec);
}

/** The terms are alternatives: each of them has to ask for Windows. */
function affinityIsWindows(podSpec: unknown): boolean {
  const required = path(podSpec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = listOf(member(required, 'nodeSelectorTerms'));
  return terms.length > 0 && terms.every((term) => listOf(member(term, 'matchExpressions')).some(asksForWindows));
}

function asksForWindows(expression: unknown): boolean {
  const values = listOf(member(expression, 'values'));
  return (
    OS_LABELS.some((label) => member(expression, 'key') === label) &&
    member(expression, 'operator') === 'In' &&
    values.length > 0 &&
    values.every((value) => value === 'windows')
  );
}

function runsOnWindowsHost(podSpec: unknown): boolean {
  const holders = [podSpec, ...listOf(member(podSpec, 'containers'))];
  spendOnMembers(holders.length);
  return holders.some((holder) => path(holder, 'securityContext', 'windowsOptions', 'hostProcess') === true);
}

function templatesOf(object: unknown): CelMap[] {
  const refs = templateRefs(object);
  spendOnObjects(refs.length);
  return refs.map(({ pointer, spec, containers, defaults }) =>
    madeFrom({ spec, containers: containers.map(({ container }) => container), defaults: { ...defaults } }, object, pointer),
  );
}

function templateContainersOf(object: unknown): CelMap[] {
  return templateRefs(object).flatMap(({ spec, containers, defaults }) => {
    spendOnObjects(containers.length);
    return containers.map(({ container, pointer }) => madeFrom({ container, spec, defaults: { ...defaults } }, object, pointer));
  });
}

interface Volume {
  readonly volume: CelMap;
  readonly pointer: string;
  readonly mounts: CelMap[];
}

function templateVolumesOf(object: unknown): CelMap[] {
  const templates = templateRefs(object).map((template) => ({ template, volumes: volumesOf(template) }));
  const all = templates.flatMap(({ volumes }) => volumes);
  const everywhere = firstByName(all);
  for (const { template, volumes } of templates) {
    const own = firstByName(volumes);
    for (const { container } of template.containers) {
      for (const mount of listOf(member(container, 'volumeMounts')).filter(isMap)) {
        const name = textOrEmpty(member(mount, 'name'));
        // A workflow, a task, a run or a Spark application has volumes that its templates mount.
        (own.get(name) ?? everywhere.get(name))?.mounts.push({ container, mount });
      }
    }
  }
  return all.map(({ volume, pointer, mounts }) => madeFrom({ volume, mounts }, object, pointer));
}

function volumesOf({ spec, pointer }: PodTemplateRef): Volume[] {
  return listOf(member(spec, 'volumes')).flatMap((volume, index) =>
    isMap(volume) ? [{ volume, pointer: `${pointer}/volumes/${index}`, mounts: [] }] : [],
  );
}

/** The API server refuses a name that is used twice. */
function firstByName(volumes: readonly Volume[]): Map<string, Volume> {
  const named = volumes.map((volume) => [textOrEmpty(member(volume.volume, 'name')), volume] as const).filter(([name]) => name !== '');
  return new Map(named.toReversed());
}

function templateRefs(object: unknown): PodTemplateRef[] {
  const [apiVersion, kind] = [member(object, 'apiVersion'), member(object, 'kind')];
  if (!isMap(object) || object instanceof Map || typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const known = templates.get(object);
  if (known) return known;
  spendOnWhole(object);
  // A plain object of a document: its values are what the readers made.
  const refs = podTemplatesOf({ apiVersion, kind, object: object as JsonObject });
  templates.set(object, refs);
  return refs;
}

/** A dozen rules ask for them. */
const templates = new WeakMap<object, PodTemplateRef[]>();

function namespaceOf(object: unknown, podMetadata: unknown): unknown {
  return path(present(object), 'metadata', 'namespace') ?? member(podMetadata, 'namespace');
}
