import type { CelFunction } from '../function.js';
import { type CelMap, isMap, listOf, mapOf, member, present, textOf } from '../values.js';
import { containersOf } from './containers.js';

const POD = '{"volumes": [{"name": "v"}], "containers": [{"name": "a", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]}';

/** Which container mounts what. Total. */
export const volumes: readonly CelFunction[] = [
  {
    signature: 'mountsOf(dyn, dyn): list<dyn>',
    summary: 'The mounts of a volume (its name, or the volume) in all containers of a Pod spec, as {container, mount}.',
    example: `mountsOf(${POD}, "v").map(m, m.container.name + m.mount.mountPath) == ["a/v"]`,
    call: (podSpec: unknown, volume: unknown) =>
      mounts(podSpec, volume).map(([container, mount]) =>
        mapOf([
          ['container', container],
          ['mount', mount],
        ]),
      ),
  },
  {
    signature: 'mountedWritable(dyn, dyn): bool',
    summary: 'Whether a container of the Pod spec mounts the volume (its name, or the volume) without readOnly: true.',
    example: `mountedWritable(${POD}, {"name": "v"}) && !mountedWritable(${POD}, "w")`,
    call: (podSpec: unknown, volume: unknown) => mounts(podSpec, volume).some(([, mount]) => member(mount, 'readOnly') !== true),
  },
];

function mounts(podSpec: unknown, volume: unknown): [CelMap, CelMap][] {
  const inner = present(volume);
  const name = textOf(isMap(inner) ? member(inner, 'name') : inner);
  if (name === '') return [];
  return containersOf(podSpec).flatMap((container) =>
    listOf(member(container, 'volumeMounts'))
      .filter(isMap)
      .filter((mount) => member(mount, 'name') === name)
      .map((mount): [CelMap, CelMap] => [container, mount]),
  );
}
