import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { enterDirectory, type Gitignore, gitignoreAbove, isIgnored } from './gitignore.js';
import { CHART_FILE, chartAround, isChart, isChartFile, isRenderedByHelm } from './helm-chart.js';
import { isKustomizationFile } from './kustomization.js';
import { type RenderSource, sourcesAt } from './render-sources.js';
import type { Renderer } from './renderer.js';

/** What a directory holds that may be evaluated. All paths are real ones, below the real path of the directory. */
export interface Walk {
  root: string;
  files: string[];
  /** Directories of Helm charts. */
  charts: string[];
  /** What the given renderers recognise. */
  sources: RenderSource[];
  unreadable: { path: string; error: unknown }[];
}

/**
 * Finds the YAML and JSON files below a directory, sorted by the bytes of their paths. What Git ignores, `.git` and `node_modules` are left
 * out. Links to directories are not followed, so that nothing runs in a circle or leaves the directory; a link to a file counts when
 * the file lies below the directory too, which is how a mounted ConfigMap looks.
 */
export async function walkDirectory(directory: string, renderers: readonly Renderer[] = []): Promise<Walk> {
  const root = await realpath(directory);
  const walk: Walk = { root, files: [], charts: [], sources: [], unreadable: [] };
  const chart = chartAround(root);
  if (chart === undefined) await visit(walk, root, await gitignoreAbove(root), renderers);
  else {
    walk.charts.push(chart);
    walk.sources.push(...sourcesAt(chart, [CHART_FILE], renderers));
  }
  walk.files = sortByBytes([...new Set(walk.files)]);
  walk.charts = sortByBytes(walk.charts);
  return walk;
}

/** Whether a file of this name may hold manifests. */
export function isManifestName(path: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(path) || isKustomizationFile(path);
}

export function sortByBytes(paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, bytes: Buffer.from(path) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ path }) => path);
}

async function visit(walk: Walk, directory: string, outer: Gitignore | undefined, renderers: readonly Renderer[]): Promise<void> {
  let entries: Dirent[];
  try {
    entries = await readdir(directory, { withFileTypes: true });
  } catch (error) {
    walk.unreadable.push({ path: directory, error });
    return;
  }
  const rules = await enterDirectory(directory, outer);
  const chart = isChart(directory);
  if (chart) walk.charts.push(directory);
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  walk.sources.push(...sourcesAt(directory, names, renderers));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isDirectory()) {
      if (!isSkipped(path) && !(chart && isRenderedByHelm(path))) await visit(walk, path, rules, renderers);
    } else if (isManifestName(entry.name) && !(chart && isChartFile(entry.name))) {
      const file = entry.isSymbolicLink() ? await linkedFile(walk.root, path) : entry.isFile() ? path : undefined;
      if (file !== undefined) walk.files.push(file);
    }
  }
}

export function isSkipped(directory: string): boolean {
  return ['.git', 'node_modules'].includes(basename(directory));
}

/** Undefined for a link that is broken, leaves the root, or leads to no regular file. */
async function linkedFile(root: string, path: string): Promise<string | undefined> {
  try {
    const target = await realpath(path);
    return target.startsWith(root.endsWith(sep) ? root : root + sep) && (await stat(target)).isFile() ? target : undefined;
  } catch {
    return undefined;
  }
}
