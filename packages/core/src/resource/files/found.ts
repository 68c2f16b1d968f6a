import { normalize, sep } from 'node:path';
import type { InputError } from '../../errors.js';
import type { Format } from '../input/formats.js';
import { fileInput, type Input } from '../input/input.js';
import type { FileUse } from '../yaml/source-document.js';
import { isWithin } from './boundary.js';
import { inByteOrder } from './folder.js';
import { chartNotRendered } from './helm-chart.js';
import { patchFiles } from './kustomization.js';
import type { Obstacle } from './obstacle.js';
import { type RenderSource, renderSources } from './render-sources.js';
import type { Rendering } from './renderer.js';

/** What was found so far. */
export interface Found {
  /** By real path, so that each file is read once. */
  inputs: Map<string, Input>;
  errors: InputError[];
  /** Sources that were rendered, by renderer and real path. */
  rendered: Set<string>;
  /** Files that rendered manifests were made from. */
  covered: Set<string>;
  /** What cannot be read, by its own place, with its name and whether manifests may be missing because of it. */
  obstacles: Map<string, { what: Obstacle['what']; name: string; hides: boolean }>;
  /** Templates that Helm passes over, by real path: those of library charts, and those that `.helmignore` names. */
  templates: Map<string, string>;
  /** Files whose names are those of neither manifests nor known formats, by real path. */
  others: Map<string, string>;
  /** What the walks did not look into, with names. */
  left: { [what in 'files' | 'folders' | 'tracked']: Map<string, string> };
  /** See `LeftOut`. */
  untold: boolean;
  /** Files of formats that nothing here reads, by real path. */
  foreign: Map<string, { format: Format; name: string }>;
}

export function newFound(): Found {
  return {
    inputs: new Map(),
    errors: [],
    rendered: new Set(),
    covered: new Set(),
    obstacles: new Map(),
    templates: new Map(),
    others: new Map(),
    left: { files: new Map(), folders: new Map(), tracked: new Map() },
    untold: false,
    foreign: new Map(),
  };
}

/** Paths of files, of the kustomizations among them, and of what is rendered. */
export interface Tree {
  /** Where it starts, absolute and real. What is elsewhere was reached through a link. */
  root: string;
  files: readonly string[];
  /** The bytes of each file, as far as they are known. */
  sizes?: ReadonlyMap<string, number>;
  kustomizations: readonly string[];
  /** Files that hold the values of charts. */
  values?: ReadonlySet<string>;
  sources: readonly RenderSource[];
}

type NameOf = (path: string) => string;

/** Adds the files of a tree and what its sources render to, in the order of their names. */
export async function addTree(found: Found, tree: Tree, nameOf: NameOf, rendering: Rendering | undefined): Promise<void> {
  const sources = tree.sources.filter((source) => isNew(found.rendered, `${source.renderer.name}:${source.path}`));
  const rendered =
    rendering === undefined ? new Map<string, never>() : await renderSources(sources, nameOf, { ...rendering.options, root: tree.root });
  for (const { covers, leftOut = [] } of rendered.values()) {
    for (const path of covers) found.covered.add(path);
    for (const path of leftOut) found.templates.set(path, nameOf(path));
  }
  const data = new Set([...rendered.values()].flatMap((one) => one.data ?? []));
  const patches = await patchFiles(tree.kustomizations);
  const useOf = (file: string): { use?: FileUse } =>
    patches.has(file) ? { use: 'patch' } : data.has(file) || tree.values?.has(file) ? { use: 'data' } : {};
  const files = new Set(tree.files.filter((file) => !found.covered.has(file)));
  for (const path of inByteOrder([...new Set([...files, ...rendered.keys()])], nameOf)) {
    const { inputs = [], errors = [], madeFrom } = rendered.get(path) ?? {};
    // A link may be newer than what it leads to.
    const known = madeFrom && isWithin(tree.root, path) ? { madeFrom } : {};
    for (const [index, input] of inputs.entries()) found.inputs.set(`rendered:${index}:${path}`, { ...input, ...known });
    found.errors.push(...errors.filter((error) => !found.errors.some((known) => isSameLink(known, error))));
    if (!files.has(path)) continue;
    const size = tree.sizes?.get(path);
    addFile(found, path, nameOf(path), { explicit: false, ...(size !== undefined && { size }), ...useOf(path) });
  }
}

/** A link in a chart is met by the walk, too. */
function isSameLink(known: InputError, error: InputError): boolean {
  return error.code === 'link-not-followed' && known.code === error.code && known.location?.file === error.location?.file;
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

export function addFile(
  found: Found,
  path: string,
  name: string,
  options: Pick<Input, 'explicit'> & Partial<Pick<Input, 'size' | 'use'>>,
): void {
  const known = found.inputs.get(path);
  if (known === undefined) found.inputs.set(path, fileInput(path, name, options));
  else if (options.explicit) {
    known.explicit = true;
    delete known.use;
  }
}

/** Charts that nothing renders are errors. */
export function refuseCharts(
  found: Found,
  { charts, sources }: { charts: ReadonlySet<string>; sources: readonly RenderSource[] },
  nameOf: NameOf,
): void {
  for (const chart of inByteOrder([...charts], nameOf))
    if (!sources.some(({ path }) => path === chart)) found.errors.push(chartNotRendered(nameOf(chart)));
}

/** The name under which errors and findings show a path: as the user wrote it, with `/` on every system. */
export function displayName(path: string): string {
  return normalize(path).split(sep).join('/');
}
