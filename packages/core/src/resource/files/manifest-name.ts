import { isKustomizationFile } from './kustomization.js';

/** Whether a file of this name may hold manifests. */
export function isManifestName(path: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(path) || isKustomizationFile(path);
}
