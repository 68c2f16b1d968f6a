import { canonical, sha256Hex } from '../json/index.js';
import type { BundleFiles } from './files.js';

/** `sha256:` over the canonical text of the digests of all files by path: same files, same digest, in a folder or an archive. */
export function bundleDigest(files: BundleFiles): string {
  const digests = Object.fromEntries([...files].map(([path, content]) => [path, sha256Hex(content)]));
  return `sha256:${sha256Hex(canonical({ files: digests }))}`;
}
