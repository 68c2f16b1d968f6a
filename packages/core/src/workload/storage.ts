import { isObject, type JsonObject, type JsonValue, type Pod } from '../resource/index.js';
import { BYTES_PER_GB, parseQuantity } from './quantity.js';

/** Provisioned GB, each 10^9 bytes, by the kind of disk. */
export interface Storage {
  ssdGb: number;
  hddGb: number;
}

/** Classes of storage of the same input, by name: whether their disks turn. */
export type StorageClasses = ReadonlyMap<string, boolean>;

/**
 * By their parameters: `type` of the drivers of Amazon EBS and of Compute Engine, `skuName` or `storageaccounttype` of Azure Disk.
 * Source: https://kubernetes.io/docs/concepts/storage/storage-classes/#provisioner, and the documentation of the drivers
 */
export function storageClassesOf(
  resources: readonly { apiVersion: string; kind: string; name: string; object: JsonObject }[],
): StorageClasses {
  return new Map(
    resources.flatMap(({ apiVersion, kind, name, object }) => {
      if (kind !== 'StorageClass' || !apiVersion.startsWith('storage.k8s.io/')) return [];
      const parameters = member(object, 'parameters');
      const type = ['type', 'skuName', 'skuname', 'storageaccounttype']
        .map((key) => member(parameters, key))
        .find((value) => value !== undefined);
      return typeof type === 'string' ? [[name, HDD_TYPES.test(type)] as const] : [];
    }),
  );
}

const HDD_TYPES = /^(?:st1|sc1|standard|pd-standard|Standard_(?:LRS|ZRS|GRS))$/i;

/** What the spec of a PersistentVolumeClaim asks for. */
export function storageOf(spec: JsonValue | undefined, classes: StorageClasses = new Map()): Storage {
  const requested = parseQuantity(member(member(member(spec, 'resources'), 'requests'), 'storage'));
  const name = member(spec, 'storageClassName');
  const gb = (requested ?? 0) / BYTES_PER_GB;
  const turns = typeof name === 'string' && (classes.get(name) ?? (name.length < 254 && HDD_CLASSES.test(name)));
  return turns ? { ssdGb: 0, hddGb: gb } : { ssdGb: gb, hddGb: 0 };
}

/** Volumes that each pod of a workload brings along: of a StatefulSet, and ephemeral ones. Other claims are resources of their own. */
export function claimsOf({ kind, object }: { kind: string; object: JsonObject }, pod: Pod, classes?: StorageClasses): Storage {
  const spec = isObject(object.spec) ? object.spec : {};
  const templates = kind === 'StatefulSet' && Array.isArray(spec.volumeClaimTemplates) ? spec.volumeClaimTemplates : [];
  const volumes = Array.isArray(pod.spec.volumes) ? pod.spec.volumes : [];
  const ephemeral = volumes.map((volume) => member(member(volume, 'ephemeral'), 'volumeClaimTemplate'));
  const all = [...templates, ...ephemeral].map((template) => storageOf(member(template, 'spec'), classes));
  return { ssdGb: all.reduce((sum, { ssdGb }) => sum + ssdGb, 0), hddGb: all.reduce((sum, { hddGb }) => sum + hddGb, 0) };
}

/** Names of storage classes that are disks that turn: of AWS, Google Cloud and Azure. All others are taken for SSDs. */
const HDD_CLASSES = /(^|[-_])(st1|sc1|hdd|pd-standard|standard[-_]?hdd|standard_lrs)($|[-_])/i;

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
