import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { parseDocuments } from '../yaml/parse.js';

/** Files that `kustomize` itself reads as a kustomization. */
export function isKustomizationFile(path: string): boolean {
  return /^(?:kustomization\.ya?ml|Kustomization)$/.test(basename(path.replaceAll('\\', '/')));
}

/** The real paths of the files that kustomizations use as patches. */
export async function patchFiles(kustomizations: readonly string[]): Promise<Set<string>> {
  const patches = new Set<string>();
  for (const path of kustomizations) {
    for (const patch of patchesOf(await readKustomization(path))) {
      const file = resolve(dirname(path), patch);
      patches.add(await realpath(file).catch(() => file));
    }
  }
  return patches;
}

/** Undefined for a file that cannot be read: it is reported when it is evaluated. */
async function readKustomization(path: string): Promise<JsonValue | undefined> {
  try {
    return parseDocuments({ file: path, index: 0, text: await readFile(path, 'utf8'), line: 1 })[0]?.value;
  } catch {
    return undefined;
  }
}

function patchesOf(kustomization: JsonValue | undefined): string[] {
  if (!isObject(kustomization)) return [];
  return [
    ...texts(kustomization.patchesStrategicMerge).filter((patch) => !patch.includes('\n')),
    ...objects(kustomization.patches).flatMap((patch) => texts([patch.path ?? null])),
    ...objects(kustomization.patchesJson6902).flatMap((patch) => texts([patch.path ?? null])),
  ];
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a file of this name may hold manifests. */
export function isManifestName(path: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(path) || isKustomizationFile(path);
}
