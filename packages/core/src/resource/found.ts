import { normalize, sep } from 'node:path';
import type { InputError } from '../errors.js';
import { chartNotRendered } from './helm-chart.js';
import { fileInput, type Input } from './input.js';
import { patchFiles } from './kustomization.js';
import { type RenderSource, renderSources } from './render-sources.js';
import type { Rendering } from './renderer.js';
import { sortByBytes } from './walk.js';

/** What was found so far. */
export interface Found {
  /** By real path, so that each file is read once. */
  inputs: Map<string, Input>;
  errors: InputError[];
  /** Sources that were rendered, by renderer and real path. */
  rendered: Set<string>;
  /** Files that rendered manifests were made from. */
  covered: Set<string>;
}

/** Paths of files, and of the sources among them; all real. */
export interface Tree {
  files: readonly string[];
  sources: readonly RenderSource[];
}

type NameOf = (path: string) => string;

/** Adds the files of a tree and what its sources render to, in the order of their paths. */
export async function addTree(found: Found, tree: Tree, nameOf: NameOf, rendering: Rendering | undefined): Promise<void> {
  const sources = tree.sources.filter(({ renderer, path }) => !found.rendered.has(`${renderer.name}:${path}`));
  for (const { renderer, path } of sources) found.rendered.add(`${renderer.name}:${path}`);
  const rendered = rendering === undefined ? new Map<string, never>() : await renderSources(sources, nameOf, rendering.options);
  for (const { covers } of rendered.values()) for (const path of covers) found.covered.add(path);
  const patches = await patchFiles(tree.files);
  const files = new Set(tree.files.filter((file) => !patches.has(file) && !found.covered.has(file)));
  for (const path of sortByBytes([...new Set([...files, ...rendered.keys()])])) {
    const { inputs = [], errors = [] } = rendered.get(path) ?? {};
    for (const [index, input] of inputs.entries()) found.inputs.set(`rendered:${index}:${path}`, input);
    found.errors.push(...errors);
    if (files.has(path)) addFile(found, path, nameOf(path), { explicit: false });
  }
}

export function addFile(found: Found, path: string, name: string, options: { explicit: boolean; size?: number }): void {
  const known = found.inputs.get(path);
  if (known === undefined) found.inputs.set(path, fileInput(path, name, options));
  else if (options.explicit) known.explicit = true;
}

/** Charts that nothing renders are errors. */
export function refuseCharts(found: Found, { charts, sources }: { charts: readonly string[] } & Omit<Tree, 'files'>, nameOf: NameOf): void {
  for (const chart of charts) if (!sources.some(({ path }) => path === chart)) found.errors.push(chartNotRendered(nameOf(chart)));
}

/** The name under which errors and findings show a path: as the user wrote it, with `/` on every system. */
export function displayName(path: string): string {
  return normalize(path).split(sep).join('/');
}
