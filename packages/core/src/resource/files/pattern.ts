import type { readdir } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type Boundary, boundaryOf } from './boundary.js';
import { type Entry, type Folder, listFolder, openChild, openFolder } from './folder.js';
import { CHART_FILE, chartAround, isChart, isChartFile } from './helm-chart.js';
import { isManifestName } from './kustomization.js';
import { MOST_LINKED_FOLDERS } from './obstacle.js';
import { sourcesAmong, sourcesAt } from './render-sources.js';
import type { Renderer } from './renderer.js';
import { addFile, isUntold, leaveOut, newWalk, type Walk } from './walk.js';

/** Whether a path holds a wildcard: `*`, `?`, `[ab]`, `{a,b}` or `@(a|b)`. */
export function isPattern(path: string): boolean {
  return /[*?[{]|[!+@]\(/.test(path);
}

/** The folders of a pattern before its first wildcard: `.` or `/` if it starts with one. */
export function fixedPart(pattern: string): string {
  return partsOf(pattern).fixed;
}

/** What a pattern means, in the folder that its fixed part names. What a walk would leave out, a pattern leaves out, too, and it follows the same links. */
export async function matchPattern(pattern: string, cwd: string, renderers: readonly Renderer[] = []): Promise<Walk> {
  const { fixed, wild } = partsOf(pattern);
  const base = resolve(cwd, fixed);
  const root = await realFolder(base);
  if (root === undefined) return newWalk(base);
  const walk = newWalk(root);
  const boundary = await boundaryOf(root);
  const tree = new FolderTree(walk, boundary, wild.split('/').filter((segment) => segment !== '**').length);
  // Loaded where it is needed: most commands see no pattern, and start faster without it.
  const { glob } = await import('tinyglobby');
  const matches = await glob(wild, {
    cwd: root,
    absolute: true,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    // The one form of the many of this function that the library calls, with entries that have the three methods which it uses.
    fs: { readdir: tree.readdir as unknown as typeof readdir },
  });
  // Which of the folders came first, and were read, is a matter of chance.
  if (tree.hasTooManyLinks) return { ...newWalk(root), obstacles: [{ path: root, place: `${root}/${wild}`, what: 'too-many-links' }] };
  const places: string[] = [];
  for (const path of matches.sort()) {
    const entry = tree.entries.get(resolve(path));
    if (entry !== undefined && addMatch(walk, entry)) places.push(entry.place);
  }
  const charts = [...walk.charts].flatMap((chart) => sourcesAt(chart, [CHART_FILE], renderers));
  walk.sources.push(...charts, ...sourcesAmong(places, renderers));
  for (const file of walk.files.keys()) walk.others.delete(file);
  walk.left.untold = await isUntold(walk, boundary);
  return walk;
}

function partsOf(pattern: string): { fixed: string; wild: string } {
  const segments = pattern.split(sep).join('/').split('/');
  // A backslash may be a part of the pattern language.
  const first = segments.findIndex((segment) => isPattern(segment) || segment.includes('\\'));
  const at = first === -1 ? segments.length - 1 : first;
  return { fixed: segments.slice(0, at).join('/') || (pattern.startsWith('/') ? '/' : '.'), wild: segments.slice(at).join('/') };
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Adds what was matched. Whether it is a file with manifests of its own: a file of a chart stands for the chart. */
function addMatch(walk: Walk, entry: Entry): boolean {
  if (entry.type !== 'file' && entry.type !== 'obstacle') return false;
  const place = entry.type === 'file' ? entry.real : entry.place;
  const folder = dirname(place);
  const chart = isManifestName(entry.name)
    ? (chartAround(place) ?? (isChartFile(entry.name) && isChart(folder) ? folder : undefined))
    : undefined;
  if (chart !== undefined) walk.charts.add(chart);
  else if (entry.type === 'obstacle') walk.obstacles.push(entry.obstacle);
  else addFile(walk, entry);
  return chart === undefined && entry.type === 'file' && isManifestName(entry.name);
}

/** A folder on one of the ways that lead to it. */
interface Node {
  path: string;
  real: string;
  parent: Node | undefined;
  /** The last link on the way, by what it leads to; undefined for none. What Git ignores counts from there on. */
  link: string | undefined;
}

/** The folders that the library asks for, as it should see them: links are what they lead to. */
class FolderTree {
  /** What was listed, by the path by which it was reached. */
  readonly entries = new Map<string, Entry>();
  private readonly nodes = new Map<string, Node>();
  /** Folders are listed once for all the ways that lead through the same last link. */
  private readonly listings = new Map<string, Promise<Listing>>();
  private linkedFolders = 0;

  constructor(
    private readonly walk: Walk,
    private readonly boundary: Boundary,
    /** How often a folder may be on one way: without `**`, no way is longer than the pattern. */
    private readonly mostOften: number,
  ) {}

  readonly readdir = (path: string, _options: unknown, done: (error: Error | null, entries: Listed[]) => void): void => {
    this.list(resolve(path)).then(
      (entries) => done(null, entries),
      (error: Error) => done(error, []),
    );
  };

  get hasTooManyLinks(): boolean {
    return this.linkedFolders > MOST_LINKED_FOLDERS;
  }

  private async list(path: string): Promise<Listed[]> {
    const entry = this.entries.get(path);
    // A link out of the boundary, to a folder into which the pattern leads.
    if (entry?.type === 'obstacle') this.walk.obstacles.push(entry.obstacle);
    const node = entry === undefined || entry.type === 'folder' ? this.nodeAt(path, entry) : undefined;
    if (node === undefined) return [];
    this.nodes.set(path, node);
    try {
      const { entries } = await this.listing(node);
      return entries.flatMap((each) => this.listed(movedTo(path, each)));
    } catch (error) {
      this.walk.obstacles.push({ path, place: node.real, what: 'unreadable', error });
      return [];
    }
  }

  /** Undefined for a folder that has been on the way too often, or if there are too many. The root has no entry. */
  private nodeAt(path: string, entry: Extract<Entry, { linked: boolean }> | undefined): Node | undefined {
    const parent = this.nodes.get(dirname(path));
    if (entry === undefined || parent === undefined) return { path, real: path, parent: undefined, link: undefined };
    const { real, linked } = entry;
    const node = { path, real, parent, link: linked ? real : parent.link };
    if (node.link === undefined) return node;
    if (this.isRoundabout(node)) return undefined;
    this.linkedFolders += 1;
    return this.hasTooManyLinks ? undefined : node;
  }

  private listing(node: Node): Promise<Listing> {
    const key = `${node.link ?? ''}\0${node.real}`;
    const known = this.listings.get(key) ?? this.newListing(node);
    this.listings.set(key, known);
    return known;
  }

  private async newListing({ path, real, parent, link }: Node): Promise<Listing> {
    const isStart = parent === undefined || link === real;
    const folder = isStart ? await openFolder(path, real) : await openChild((await this.listing(parent)).folder, { path, real });
    return { folder, entries: await listFolder(folder, this.boundary) };
  }

  private isRoundabout({ parent, real }: Node): boolean {
    let count = 0;
    for (let at = parent; at !== undefined; at = at.parent) if (at.real === real) count += 1;
    return count >= Math.max(this.mostOften, 1);
  }

  private listed(entry: Entry): Listed[] {
    if (entry.type === 'ignored' || entry.type === 'skipped') leaveOut(this.walk, entry);
    else {
      this.entries.set(entry.path, entry);
      return [new Listed(entry.name, entry.type === 'folder' || (entry.type === 'obstacle' && entry.obstacle.folder === true))];
    }
    return [];
  }
}

interface Listing {
  folder: Folder;
  entries: readonly Entry[];
}

/** The entry as it is reached by another way. */
function movedTo(folder: string, entry: Entry): Entry {
  const path = join(folder, entry.name);
  return entry.type === 'obstacle' ? { ...entry, path, obstacle: { ...entry.obstacle, path } } : { ...entry, path };
}

class Listed {
  constructor(
    readonly name: string,
    private readonly folder: boolean,
  ) {}

  isFile(): boolean {
    return !this.folder;
  }

  isDirectory(): boolean {
    return this.folder;
  }

  isSymbolicLink(): boolean {
    return false;
  }
}
