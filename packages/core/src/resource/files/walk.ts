import { realpath } from 'node:fs/promises';
import { formatOfFile } from '../input/formats.js';
import { type Boundary, boundaryOf, isWithin } from './boundary.js';
import { type Entry, type EntryPlace, type Folder, listFolder, openChild, openFolder } from './folder.js';
import { CHART_FILE, chartAround, isChart, isChartFile, isRenderedByHelm } from './helm-chart.js';
import { isKustomizationFile, isManifestName } from './kustomization.js';
import type { Obstacle } from './obstacle.js';
import { type RenderSource, sourcesAt } from './render-sources.js';
import type { Renderer } from './renderer.js';

/** What a folder or a pattern leads to. All paths are absolute; keys and lists hold real ones. */
export interface Walk {
  /** The folder, or the one in which the pattern starts. */
  root: string;
  /** Files that may hold manifests, with the path by which each was reached first. */
  files: Map<string, string>;
  /** The same for files that by their name hold something else. */
  others: Map<string, string>;
  /** The bytes of each file. */
  sizes: Map<string, number>;
  /** The kustomization files among them, each in the folder that it stands for. */
  kustomizations: string[];
  /** Folders of Helm charts. */
  charts: Set<string>;
  /** The files among them that hold the values of charts. */
  values: Set<string>;
  /** What the given renderers recognise. */
  sources: RenderSource[];
  obstacles: Obstacle[];
  left: LeftOut;
}

/** What a walk did not look into, by its own places. */
export interface LeftOut {
  /** Files and folders that Git ignores and does not track. */
  files: Set<string>;
  folders: Set<string>;
  /** Folders that are never looked into. */
  skipped: Set<string>;
  /** Files in them that Git tracks, and that have names of manifests. */
  tracked: Set<string>;
  /** Whether something was left out because Git ignores it, and Git did not tell what it tracks. */
  untold: boolean;
}

export function newWalk(root: string): Walk {
  const left = {
    files: new Set<string>(),
    folders: new Set<string>(),
    skipped: new Set<string>(),
    tracked: new Set<string>(),
    untold: false,
  };
  return {
    root,
    files: new Map(),
    others: new Map(),
    sizes: new Map(),
    kustomizations: [],
    charts: new Set(),
    values: new Set(),
    sources: [],
    obstacles: [],
    left,
  };
}

/**
 * Finds the YAML and JSON files below a folder. What Git ignores, `.git` and `node_modules` are left out. Links are followed within the folder and
 * within the Git repository that holds it, also to what Git ignores: somebody put the link there. What links lead to is read once. All else
 * that cannot be read is an obstacle.
 * @throws the error of the file system if there is no such folder
 */
export async function walkDirectory(directory: string, renderers: readonly Renderer[] = []): Promise<Walk> {
  const root = await realpath(directory);
  const walk = newWalk(root);
  const state: State = { walk, boundary: await boundaryOf(root), renderers, visited: new Set(), links: [] };
  const chart = chartAround(root);
  if (chart !== undefined) {
    addChart(state, chart);
    return walk;
  }
  await visit(state, await openFolder(root, root));
  // Links come last: what also lies below the root is then known by its own place there. What they lead to may hold further links.
  for (const link of state.links) await follow(state, link);
  for (const file of walk.files.keys()) walk.others.delete(file);
  walk.left.untold = await isUntold(walk, state.boundary);
  return walk;
}

/** The path by which a file is shown: its own place if that is below the root, else the path by which it was reached. */
export function shownPath({ root, files, others }: Walk, real: string): string {
  return isWithin(root, real) ? real : (files.get(real) ?? others.get(real) ?? real);
}

/** Keeps what is not looked into. */
export function leaveOut({ left }: Walk, entry: Extract<Entry, { type: 'ignored' | 'skipped' }>): void {
  if (entry.type === 'ignored') (entry.folder ? left.folders : left.files).add(entry.place);
  else {
    left.skipped.add(entry.place);
    for (const path of entry.tracked) if (isManifestName(path)) left.tracked.add(path);
  }
}

/** Whether a walk left something out that Git ignores, of which nothing says whether Git tracks it. */
export async function isUntold({ left }: Walk, boundary: Boundary): Promise<boolean> {
  return boundary.inRepository && left.files.size + left.folders.size > 0 && (await boundary.tracked()) === undefined;
}

/** Adds a file under the path by which it was reached first. */
export function addFile(
  { files, others, sizes, kustomizations }: Walk,
  { name, path, place, real, size }: EntryPlace & { real: string; size: number },
): void {
  sizes.set(real, size);
  if (isKustomizationFile(name)) kustomizations.push(place);
  const known = isManifestName(name) && formatOfFile(name) === undefined ? files : others;
  if (!known.has(real)) known.set(real, path);
}

interface State {
  walk: Walk;
  boundary: Boundary;
  renderers: readonly Renderer[];
  /** Folders, by real path. */
  visited: Set<string>;
  links: Link[];
}

type Link = Extract<Entry, { linked: boolean }>;

async function visit(state: State, folder: Folder): Promise<void> {
  if (state.visited.has(folder.real)) return;
  state.visited.add(folder.real);
  const { walk } = state;
  let entries: Entry[];
  try {
    entries = await listFolder(folder, state.boundary);
  } catch (error) {
    walk.obstacles.push({ path: folder.path, place: folder.real, what: 'unreadable', error });
    return;
  }
  const chart = isChart(folder.real);
  if (chart) walk.charts.add(folder.real);
  const names = entries.filter(mayBeRead).map(({ name }) => name);
  walk.sources.push(...sourcesAt(folder.real, names, state.renderers));
  for (const entry of entries) {
    if (chart && isRenderedByHelm(entry.path)) continue;
    if (chart && isChartFile(entry.name) && entry.type === 'file') walk.values.add(entry.real);
    await take(state, folder, entry);
  }
}

/** Whether renderers may read it: they do not know what Git ignores. */
function mayBeRead(entry: Entry): boolean {
  return entry.type === 'file' || (entry.type === 'ignored' && !entry.folder);
}

async function take(state: State, folder: Folder, entry: Entry): Promise<void> {
  const { walk } = state;
  if (entry.type === 'ignored' || entry.type === 'skipped') leaveOut(walk, entry);
  else if (entry.type === 'obstacle') walk.obstacles.push(entry.obstacle);
  else if (entry.linked) state.links.push(entry);
  else if (entry.type === 'folder') await visit(state, await openChild(folder, entry));
  else addFile(walk, entry);
}

async function follow(state: State, link: Link): Promise<void> {
  const { walk, boundary } = state;
  const { name, path, place, real } = link;
  const chart = chartAround(real);
  if (chart !== undefined && (link.type === 'folder' || isManifestName(name))) {
    if (boundary.holds(chart)) addChart(state, chart);
    else walk.obstacles.push({ path, place, what: 'leads-out', folder: true });
  } else if (link.type === 'file') addFile(walk, link);
  else if (!state.visited.has(real)) await visit(state, await openFolder(isWithin(walk.root, real) ? real : path, real));
}

function addChart({ walk, renderers }: State, chart: string): void {
  if (walk.charts.has(chart)) return;
  walk.charts.add(chart);
  walk.sources.push(...sourcesAt(chart, [CHART_FILE], renderers));
}
