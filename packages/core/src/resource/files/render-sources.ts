import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Rendered, Renderer, RenderOptions } from './renderer.js';

/** Something to render, such as a chart or a kustomization, and what renders it. */
export interface RenderSource {
  renderer: Renderer;
  /** Absolute and real. */
  path: string;
}

/** The sources that a folder is, by the names of the files in it. */
export function sourcesAt(folder: string, names: readonly string[], renderers: readonly Renderer[]): RenderSource[] {
  return renderers.filter((renderer) => renderer.recognises(folder, names)).map((renderer) => ({ renderer, path: folder }));
}

/** The sources among the folders of some files. */
export function sourcesAmong(files: readonly string[], renderers: readonly Renderer[]): RenderSource[] {
  const folders = Map.groupBy(files, (file) => dirname(file));
  return [...folders].flatMap(([folder, within]) =>
    sourcesAt(
      folder,
      within.map((file) => basename(file)),
      renderers,
    ),
  );
}

/** What the sources stand for, by their paths. Those that are a part of another are left out. */
export async function renderSources(
  sources: readonly RenderSource[],
  nameOf: (path: string) => string,
  options: RenderOptions,
): Promise<ReadonlyMap<string, Rendered>> {
  const roots = await rootsOf(sources);
  const rendered = await concurrently(roots, ({ renderer, path }) => renderer.render(path, nameOf(path), options));
  const byPath = new Map<string, Rendered>();
  for (const [index, result] of rendered.entries()) {
    const path = roots[index]?.path ?? '';
    const [covers, data] = await Promise.all([result.covers, result.data ?? []].map((paths) => Promise.all(paths.map(realOrSame))));
    byPath.set(path, joined(byPath.get(path), { ...result, covers: covers ?? [], data: data ?? [] }));
  }
  return byPath;
}

async function rootsOf(sources: readonly RenderSource[]): Promise<RenderSource[]> {
  const roots: RenderSource[] = [];
  for (const [renderer, own] of Map.groupBy(sources, (source) => source.renderer)) {
    const paths = own.map(({ path }) => path);
    for (const path of (await renderer.roots?.(paths)) ?? paths) roots.push({ renderer, path });
  }
  return roots;
}

/** A renderer is a process of its own: more of them than processors would only wait for each other. */
const MOST_AT_ONCE = Math.min(4, availableParallelism());

/** Results in the order of the items. */
async function concurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const take = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, take));
  return results;
}

/** A folder may be a source of several kinds. */
function joined(a: Rendered | undefined, b: Rendered): Rendered {
  if (a === undefined) return b;
  const madeFrom = a.madeFrom && b.madeFrom && [...a.madeFrom, ...b.madeFrom];
  return {
    inputs: [...a.inputs, ...b.inputs],
    errors: [...a.errors, ...b.errors],
    covers: [...a.covers, ...b.covers],
    data: [...(a.data ?? []), ...(b.data ?? [])],
    leftOut: [...(a.leftOut ?? []), ...(b.leftOut ?? [])],
    ...(madeFrom && { madeFrom }),
  };
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
