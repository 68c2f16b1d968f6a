import {
  containersOf,
  escapeToken,
  isObject,
  type JsonObject,
  type JsonValue,
  podOf,
  podTemplatesOf,
  type Resource,
} from '../../resource/index.js';
import { itemsAt, memberOf, type NameReference, type Reference, textAt } from './reference.js';

/** What the Pods of a workload refer to: its account, ConfigMaps and Secrets, claims and storage classes. */
export function podReferences(resource: Resource): Reference[] {
  const pod = podOf(resource);
  const templates = pod ? [{ spec: pod.spec, pointer: `${pod.pointer}/spec`, containers: containersOf(pod) }] : podTemplatesOf(resource);
  return templates.flatMap(({ spec, pointer, containers }) => [
    ...account(spec, pointer),
    ...itemsAt(spec, pointer, 'imagePullSecrets').flatMap(([item, at]) => named('pulls-with', 'Secret', item, at)),
    ...itemsAt(spec, pointer, 'volumes').flatMap(([volume, at]) => volumeReferences(volume, at)),
    ...containers.flatMap(({ container, pointer: at }) => containerReferences(container, at)),
  ]);
}

function account(spec: JsonObject, pointer: string): NameReference[] {
  // `serviceAccount` is the deprecated name of the field; the API server keeps both equal.
  const member = textAt(spec, 'serviceAccountName') === undefined ? 'serviceAccount' : 'serviceAccountName';
  const name = textAt(spec, member);
  if (name === undefined) return [];
  // Rules report both under the name of today.
  const alsoAt = [`${pointer}/serviceAccountName`];
  return [{ type: 'name', edge: 'runs-as', kind: 'ServiceAccount', name, path: `${pointer}/${member}`, alsoAt }];
}

function containerReferences(container: JsonObject, pointer: string): NameReference[] {
  return [
    ...itemsAt(container, pointer, 'env').flatMap(([variable, at]) => [
      ...named('reads', 'ConfigMap', memberOf(variable, 'valueFrom', 'configMapKeyRef'), `${at}/valueFrom/configMapKeyRef`),
      ...named('reads', 'Secret', memberOf(variable, 'valueFrom', 'secretKeyRef'), `${at}/valueFrom/secretKeyRef`),
    ]),
    ...itemsAt(container, pointer, 'envFrom').flatMap(([source, at]) => [
      ...named('reads', 'ConfigMap', memberOf(source, 'configMapRef'), `${at}/configMapRef`),
      ...named('reads', 'Secret', memberOf(source, 'secretRef'), `${at}/secretRef`),
    ]),
  ];
}

function volumeReferences(volume: JsonValue, pointer: string): Reference[] {
  return [
    ...filesFrom(volume, pointer),
    ...itemsAt(volume, pointer, 'projected', 'sources').flatMap(([source, at]) => filesFrom(source, at)),
    ...named('mounts', 'PersistentVolumeClaim', memberOf(volume, 'persistentVolumeClaim'), `${pointer}/persistentVolumeClaim`, 'claimName'),
    ...storageClass(memberOf(volume, 'ephemeral', 'volumeClaimTemplate', 'spec'), `${pointer}/ephemeral/volumeClaimTemplate/spec`),
    ...credentials(volume, pointer),
  ];
}

function filesFrom(source: JsonValue, pointer: string): NameReference[] {
  const secret = memberOf(source, 'secret');
  // A volume names it `secretName`, and a projected source `name`.
  const member = textAt(secret, 'secretName') === undefined ? 'name' : 'secretName';
  return [
    ...named('reads', 'ConfigMap', memberOf(source, 'configMap'), `${pointer}/configMap`),
    ...named('reads', 'Secret', secret, `${pointer}/secret`, member),
  ];
}

/** The Secrets with which drivers mount a volume: `secretRef` of most types, and the names that Azure Files and CSI have for it. */
function credentials(volume: JsonValue, pointer: string): NameReference[] {
  const types = isObject(volume) ? Object.keys(volume) : [];
  return [
    ...types.flatMap((type) =>
      ['secretRef', 'nodePublishSecretRef'].flatMap((member) =>
        named('reads', 'Secret', memberOf(volume, type, member), `${pointer}/${escapeToken(type)}/${member}`),
      ),
    ),
    ...named('reads', 'Secret', memberOf(volume, 'azureFile'), `${pointer}/azureFile`, 'secretName'),
  ];
}

/** The storage class of a claim; a claim without one gets the default class of the cluster, and one with an empty name none. */
export function storageClass(spec: JsonValue | undefined, pointer: string): NameReference[] {
  const name = textAt(spec, 'storageClassName');
  return name === undefined
    ? []
    : [{ type: 'name', edge: 'provisioned-by', kind: 'StorageClass', name, path: `${pointer}/storageClassName` }];
}

/** A reference of the usual form: an object with the name, perhaps with a key or items of keys, perhaps optional. */
export function named(
  edge: NameReference['edge'],
  kind: string,
  reference: JsonValue | undefined,
  path: string,
  member = 'name',
): NameReference[] {
  const name = textAt(reference, member);
  if (name === undefined) return [];
  const key = textAt(reference, 'key');
  const keys = key === undefined ? itemsAt(reference, '', 'items').flatMap(([item]) => textAt(item, 'key') ?? []) : [key];
  const optional = memberOf(reference, 'optional') === true;
  return [
    {
      type: 'name',
      edge,
      kind,
      name,
      path,
      ...(keys.length > 0 && { parts: { what: 'key', names: keys } }),
      ...(optional && { optional }),
    },
  ];
}
