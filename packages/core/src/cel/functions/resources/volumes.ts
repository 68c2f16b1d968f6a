import { spendOnItems, spendOnMembers, spendOnObjects } from '../../budget/costs.js';
import type { CelFunction } from '../../function.js';
import { madeFrom } from '../../origin.js';
import { type CelMap, isMap, listOf, member, present, textOrEmpty } from '../../standard/values.js';
import { containersOf } from './containers.js';

const POD = '{"volumes": [{"name": "v"}], "containers": [{"name": "a", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]}';

/** Which container mounts what. Total. By indexes: an object with thousands of volumes and mounts must not have each compared with each. */
export const volumes: readonly CelFunction[] = [
  {
    signature: 'volumesNamed(dyn, dyn): list<dyn>',
    summary:
      'The volumes of a Pod spec with the given name: one, unless names are repeated. A volume without a name has the empty name. Uses an index.',
    example: `volumesNamed(${POD}, "v") == [{"name": "v"}] && volumesNamed(${POD}, "w") == []`,
    call: (podSpec: unknown, name: unknown) => named(podSpec, textOrEmpty(present(name))),
  },
  {
    signature: 'mountsOf(dyn, dyn): list<dyn>',
    summary:
      'The mounts of a volume (the volume or its name) in all containers of a Pod spec, as {container, mount}. In `each`, a finding is located at the mount.',
    example: `mountsOf(${POD}, "v").map(m, m.container.name + m.mount.mountPath) == ["a/v"]`,
    call: (podSpec: unknown, volume: unknown) => {
      const found = mounts(podSpec, volume);
      spendOnObjects(found.length);
      return found.map(([container, mount]) => madeFrom({ container, mount }, mount, ''));
    },
  },
  {
    signature: 'mountedWritable(dyn, dyn): bool',
    summary: 'Whether a container of the Pod spec mounts the volume (the volume or its name) without readOnly: true.',
    example: `mountedWritable(${POD}, {"name": "v"}) && !mountedWritable(${POD}, "w")`,
    call: (podSpec: unknown, volume: unknown) => {
      const found = mounts(podSpec, volume);
      spendOnItems(found.length);
      return found.some(([, mount]) => member(mount, 'readOnly') !== true);
    },
  },
];

/** By name, once per Pod spec. */
const indexedVolumes = new WeakMap<object, Map<string, unknown[]>>();

function named(podSpec: unknown, name: string): readonly unknown[] {
  const spec = present(podSpec);
  if (!isMap(spec)) return [];
  const index = indexedVolumes.get(spec) ?? volumeIndex(spec);
  indexedVolumes.set(spec, index);
  return index.get(name) ?? [];
}

function volumeIndex(spec: CelMap): Map<string, unknown[]> {
  const volumes = listOf(member(spec, 'volumes'));
  spendOnMembers(volumes.length);
  return Map.groupBy(volumes, (volume) => textOrEmpty(member(volume, 'name')));
}

type Mount = [container: CelMap, mount: CelMap];

/** By volume name, once per Pod spec: twenty rules ask, each for every volume. */
const indexed = new WeakMap<object, Map<string, Mount[]>>();

function mounts(podSpec: unknown, volume: unknown): readonly Mount[] {
  const [spec, inner] = [present(podSpec), present(volume)];
  if (!isMap(spec)) return [];
  const index = indexed.get(spec) ?? mountIndex(spec);
  indexed.set(spec, index);
  return index.get(textOrEmpty(isMap(inner) ? member(inner, 'name') : inner)) ?? [];
}

function mountIndex(spec: CelMap): Map<string, Mount[]> {
  const index = new Map<string, Mount[]>();
  for (const container of containersOf(spec)) {
    const own = listOf(member(container, 'volumeMounts')).filter(isMap);
    spendOnMembers(1 + own.length);
    for (const mount of own) {
      const name = textOrEmpty(member(mount, 'name'));
      const known = index.get(name);
      if (known !== undefined) known.push([container, mount]);
      else if (name !== '') index.set(name, [[container, mount]]);
    }
  }
  return index;
}
