/**
 * Custom resources of which an operator makes a Secret or ConfigMap, and where they name it; without a name there, it has the name of the resource. The
 * rule RL-048 exempts the same. A Secret that one of them makes is not missing, although no manifest holds it.
 */
export const MAKERS: ReadonlyMap<string, { makes: 'Secret' | 'ConfigMap'; names: readonly (readonly string[])[] }> = new Map([
  ['bitnami.com/SealedSecret', { makes: 'Secret', names: [['spec', 'template', 'metadata', 'name']] }],
  ['onepassword.com/OnePasswordItem', { makes: 'Secret', names: [] }],
  ['external-secrets.io/ExternalSecret', { makes: 'Secret', names: [['spec', 'target', 'name']] }],
  ['cert-manager.io/Certificate', { makes: 'Secret', names: [['spec', 'secretName']] }],
  ['secrets.hashicorp.com/VaultStaticSecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
  ['secrets.hashicorp.com/VaultDynamicSecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
  ['secrets.hashicorp.com/VaultPKISecret', { makes: 'Secret', names: [['spec', 'destination', 'name']] }],
]);

/** It names any number of Secrets. */
export const PROVIDER_CLASS = 'secrets-store.csi.x-k8s.io/SecretProviderClass';

/** The kinds, as rules name them, of which an operator makes a Secret or ConfigMap. */
export const MAKER_KINDS: readonly string[] = [...MAKERS.keys(), PROVIDER_CLASS];
