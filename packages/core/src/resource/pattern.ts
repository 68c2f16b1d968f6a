import { realpath } from 'node:fs/promises';
import { basename, dirname, normalize, resolve, sep } from 'node:path';
import { type Gitignore, gitignoreAbove, gitignoreWithin, isIgnored } from './gitignore.js';
import { chartAround, isChart, isChartFile } from './helm-chart.js';
import { isManifestName, isSkipped, sortByBytes } from './walk.js';

/** What a pattern matches. All paths are real ones. */
export interface PatternMatches {
  files: string[];
  /** Directories of the charts that matched files belong to. */
  charts: string[];
  /** The paths that led to these files, their directories and the charts. */
  names: ReadonlyMap<string, string>;
}

/** Whether a path holds a wildcard: `*`, `?`, `[ab]`, `{a,b}` or `@(a|b)`. */
export function isPattern(path: string): boolean {
  return /[*?[{]|[!+@]\(/.test(path);
}

/** The files that a pattern means, in the order of their paths. What a walk would leave out, a pattern leaves out too. */
export async function matchPattern(pattern: string, cwd: string): Promise<PatternMatches> {
  // Loaded where it is needed: most commands see no pattern, and start faster without it.
  const { glob } = await import('tinyglobby');
  const matches = await glob(pattern.split(sep).join('/'), {
    cwd,
    absolute: true,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  const files = await filterMatches(
    matches.map((match) => normalize(match)),
    resolve(cwd, fixedPart(pattern)),
  );
  const names = new Map<string, string>();
  const real = async (path: string) => {
    const target = await realpath(path);
    names.set(target, path);
    return target;
  };
  const found: PatternMatches = { files: [], charts: [], names };
  const charts = new Set<string>();
  for (const file of sortByBytes(files)) {
    const chart = chartAround(file);
    if (chart !== undefined) charts.add(chart);
    else {
      await real(dirname(file));
      found.files.push(await real(file));
    }
  }
  for (const chart of charts) found.charts.push(await real(chart));
  return found;
}

async function filterMatches(matches: readonly string[], base: string): Promise<string[]> {
  const files: string[] = [];
  const rules = new Map<string, Gitignore | undefined>([[dirname(base), await gitignoreAbove(base)]]);
  for (const file of matches) {
    const directory = dirname(file);
    if (!isManifestName(file) || file.split(sep).some(isSkipped)) continue;
    if (isChart(directory) && isChartFile(basename(file))) continue;
    if (!isIgnored(await gitignoreWithin(directory, rules), file, false)) files.push(file);
  }
  return files;
}

/** The directories of a pattern before its first wildcard. */
function fixedPart(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => isPattern(segment));
  return segments.slice(0, wild === -1 ? -1 : wild).join('/') || (pattern.startsWith('/') ? '/' : '.');
}
