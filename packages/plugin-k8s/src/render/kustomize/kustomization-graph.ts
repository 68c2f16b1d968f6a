import { type Kustomization, readKustomization } from './kustomization.js';

/** The kustomizations of these folders and all that they build on, each once, in the order in which they are met. */
export async function kustomizationsFrom(folders: readonly string[], read = cachedReader()): Promise<Kustomization[]> {
  const found = new Map<string, Kustomization>();
  const queue = [...folders];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (found.has(next)) continue;
    const kustomization = await read(next);
    if (kustomization === undefined) continue;
    found.set(next, kustomization);
    queue.push(...kustomization.folders);
  }
  return [...found.values()];
}

/**
 * The folders whose kustomization no other one of them builds on, in the given order. Components build nothing alone. Of kustomizations that refer
 * to each other in a circle the first is a root: kustomize says what is wrong.
 */
export async function rootKustomizations(folders: readonly string[], read = cachedReader()): Promise<string[]> {
  const candidates: string[] = [];
  for (const folder of folders) {
    const kustomization = await read(folder);
    if (kustomization && !kustomization.component && !kustomization.foreign) candidates.push(folder);
  }
  const used = new Set((await kustomizationsFrom(candidates, read)).flatMap((one) => one.folders.filter((below) => below !== one.folder)));
  const roots = new Set(candidates.filter((folder) => !used.has(folder)));
  const reached = new Set((await kustomizationsFrom([...roots], read)).map(({ folder }) => folder));
  for (const candidate of candidates) {
    if (reached.has(candidate)) continue;
    roots.add(candidate);
    for (const { folder } of await kustomizationsFrom([candidate], read)) reached.add(folder);
  }
  return candidates.filter((folder) => roots.has(folder));
}

type Reader = (folder: string) => Promise<Kustomization | undefined>;

function cachedReader(): Reader {
  const known = new Map<string, Promise<Kustomization | undefined>>();
  return (folder) => {
    const reading = known.get(folder) ?? readKustomization(folder);
    known.set(folder, reading);
    return reading;
  };
}
