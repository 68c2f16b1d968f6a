import { isObject, type Resource } from '../../resource/index.js';
import { itemsAt, type NameReference, textAt } from './reference.js';

/**
 * Custom resources of which an operator makes a Secret or ConfigMap, and where they name it; without a name there, it has the name of the resource. The
 * rule RL-048 exempts the same. A Secret that one of them makes is not missing, although no manifest holds it.
 */
const MAKERS: ReadonlyMap<string, { makes: 'Secret' | 'ConfigMap'; names: readonly (readonly string[])[] }> = new Map([
  ['bitnami.com/SealedSecret', { makes: 'Secret', names: [['spec', 'template', 'metadata', 'name']] }],
  ['onepassword.com/OnePasswordItem', { makes: 'Secret', names: [] }],
  ['external-secrets.io/ExternalSecret', { makes: 'Secret', names: [['spec', 'target', 'name']] }],
  ['cert-manager.io/Certificate', { makes: 'Secret', names: [['spec', 'secretName']] }],
  ['secrets.hashicorp.com/VaultStaticSecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
  ['secrets.hashicorp.com/VaultDynamicSecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
  ['secrets.hashicorp.com/VaultPKISecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
]);

/** The kinds, as rules name them, of which an operator makes a Secret or ConfigMap. */
export const MAKER_KINDS: readonly string[] = [...MAKERS.keys(), 'secrets-store.csi.x-k8s.io/SecretProviderClass'];

/** The Secrets or ConfigMaps that an operator makes of a resource. @param kind of the resource, as rules name it */
export function makerReferences(kind: string, { object, name }: Resource): NameReference[] {
  if (kind === 'secrets-store.csi.x-k8s.io/SecretProviderClass')
    return itemsAt(object, '', 'spec', 'secretObjects').flatMap(([item, path]) => {
      const secret = textAt(item, 'secretName');
      return secret === undefined ? [] : [made('Secret', secret, `${path}/secretName`)];
    });
  const maker = MAKERS.get(kind);
  if (maker === undefined) return [];
  const written = maker.names.find((steps) => textAt(object, ...steps) !== undefined);
  const target = written === undefined ? name : textAt(object, ...written);
  if (target === undefined || target === '') return [];
  return [made(maker.makes, target, written === undefined ? '/metadata/name' : `/${written.join('/')}`)];
}

function made(kind: string, name: string, path: string): NameReference {
  return { type: 'name', edge: 'makes', kind, name, path };
}

/** The controllers that have made an object, as its ownerReferences say: the edge runs from the owner to the object. */
export function ownersOf({ object }: Resource): { apiVersion: string; kind: string; name: string; path: string }[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return itemsAt(metadata, '/metadata', 'ownerReferences').flatMap(([owner, path]) => {
    const [apiVersion, kind, name] = [textAt(owner, 'apiVersion'), textAt(owner, 'kind'), textAt(owner, 'name')];
    return apiVersion === undefined || kind === undefined || name === undefined ? [] : [{ apiVersion, kind, name, path }];
  });
}
