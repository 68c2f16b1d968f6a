import { isObject, type JsonObject, type JsonValue, podPathOf } from '@bylaw/core/resource';

/** An example of a rule with what the API server asks for beside it, so that it can be created in a namespace; what it says stays. */
export function completed(example: JsonObject, namespace: string): JsonObject {
  const object = structuredClone(example);
  const metadata = childOf(object, 'metadata');
  for (const field of ['ownerReferences', 'uid', 'resourceVersion']) delete metadata[field];
  metadata.name ??= 'example';
  metadata.namespace = namespace;
  const path = podPathOf(String(object.kind));
  if (path === undefined) return object;
  const holder = path.reduce(childOf, object);
  completePod(childOf(holder, 'spec'));
  if (path.length > 0) completeWorkload(String(object.kind), object, childOf(holder, 'metadata'));
  if (object.kind === 'Job' || object.kind === 'CronJob') childOf(holder, 'spec').restartPolicy ??= 'Never';
  return object;
}

function completePod(spec: JsonObject): void {
  spec.containers = listOf(spec.containers).length > 0 ? (spec.containers ?? []) : [{}];
  const lists = [spec.containers, spec.initContainers, spec.ephemeralContainers].map((list) => listOf(list).filter(isObject));
  let count = 0;
  for (const container of lists.flat()) {
    container.name ??= `container-${count++}`;
    container.image ??= 'registry.example/web:1.0';
    for (const port of listOf(container.ports).filter(isObject)) port.containerPort ??= 8080;
  }
  const volumes = listOf(spec.volumes).filter(isObject);
  volumes.forEach((volume, index) => {
    volume.name ??= `volume-${index}`;
  });
  const mounted = lists.flat().flatMap(({ volumeMounts }) => listOf(volumeMounts).filter(isObject));
  const missing = new Set(mounted.map(({ name }) => name).filter((name) => !volumes.some((volume) => volume.name === name)));
  if (missing.size > 0) spec.volumes = [...listOf(spec.volumes), ...[...missing].map((name) => ({ name: name ?? 'volume', emptyDir: {} }))];
  for (const mount of mounted) mount.mountPath ??= '/data';
}

/** A selector that selects the template, and what else a kind wants. */
function completeWorkload(kind: string, object: JsonObject, template: JsonObject): void {
  if (kind === 'PodTemplate') return;
  const spec = childOf(object, 'spec');
  if (kind === 'CronJob') spec.schedule ??= '0 3 * * *';
  if (kind === 'Job' || kind === 'CronJob') return;
  const labels = childOf(template, 'labels');
  if (kind === 'ReplicationController') {
    labels.app ??= 'example';
    spec.selector ??= { app: labels.app };
    return;
  }
  const selected = childOf(childOf(spec, 'selector'), 'matchLabels');
  selected.app ??= labels.app ?? 'example';
  for (const [name, value] of Object.entries(selected)) labels[name] ??= value ?? '';
  if (kind === 'StatefulSet') spec.serviceName ??= 'example';
}

function childOf(object: JsonObject, name: string): JsonObject {
  const child = object[name];
  if (isObject(child)) return child;
  const made: JsonObject = {};
  object[name] = made;
  return made;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
