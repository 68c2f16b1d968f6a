import { type Kustomization, readKustomization } from './kustomization.js';

/** A kustomization and all that it builds upon, itself first, each once. Empty where the folder has none. */
export async function kustomizationsFrom(folder: string, read = cachedReader()): Promise<Kustomization[]> {
  const found = new Map<string, Kustomization>();
  const queue = [folder];
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
 * The folders whose kustomization no other one of them builds upon, in the given order. Components build nothing alone. Of kustomizations that refer
 * to each other in a circle the first is a root: kustomize says what is wrong.
 */
export async function rootKustomizations(folders: readonly string[]): Promise<string[]> {
  const read = cachedReader();
  const all = await Promise.all(folders.map(read));
  const candidates = all.filter((one) => one !== undefined && !one.component && !one.foreign).map((one) => one?.folder ?? '');
  const used = new Set<string>();
  for (const folder of candidates)
    for (const one of await kustomizationsFrom(folder, read)) for (const below of one.folders) if (below !== one.folder) used.add(below);
  const roots = new Set(candidates.filter((folder) => !used.has(folder)));
  const reached = new Set<string>();
  const reach = async (root: string) => {
    for (const { folder } of await kustomizationsFrom(root, read)) reached.add(folder);
  };
  for (const root of roots) await reach(root);
  for (const folder of candidates) {
    if (reached.has(folder)) continue;
    roots.add(folder);
    await reach(folder);
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
