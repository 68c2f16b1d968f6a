import type { Provider } from '@bylaw/core/workload';

/**
 * Families whose machines have GPUs or other accelerators, by their names.
 * Sources: the lists of accelerated instance types of Amazon EC2, of GPU machine types of Compute Engine, and of GPU sizes of Azure.
 */
const FAMILIES: { readonly [provider in Provider]?: RegExp } = {
  aws: /^(?:ml\.)?(?:p[2-9]|g[2-9]|gr[0-9]|inf[0-9]|trn[0-9]|dl[0-9]|vt[0-9]|f[12])[a-z0-9-]*\./,
  gcp: /^(?:a[2-9]|g[2-9]|ct[0-9])[a-z0-9]*-/,
  azure: /^(?:standard_)?n[cdgpv]/,
};

/** Whether a type is one with accelerators, whatever the lists say of them. */
export function isAccelerated(provider: Provider, type: string): boolean {
  return FAMILIES[provider]?.test(type.toLowerCase().trim()) ?? false;
}
