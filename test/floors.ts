import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Import, type ImportGraph, readImports } from './import-graph.js';

/** The order of the rooms of a folder: its folders, and in `packages/PACKAGE/src` its files, too. */
export interface Level {
  /** From the bottom. A room imports from itself and from lower floors; rooms on one floor do not import one another. */
  floors: readonly (readonly string[])[];
  /** Rooms, each with rooms that it must not import although they are lower. */
  apart?: { readonly [room: string]: readonly string[] };
}

/** By folder. */
export interface Floors {
  readonly [folder: string]: Level;
}

/**
 * What breaks the floors of a repository, one sentence each; empty if nothing does. Imports of values and of types, re-exports and dynamic imports count.
 * A test and its support may import from anywhere in their folder of `src`, because they look at it from outside; no source imports them.
 */
export function floorBreaches(root: string, floors: Floors): string[] {
  const graph = readImports(root);
  return [...listBreaches(root, floors, graph), ...graph.imports.flatMap((one) => importBreaches(one, floors)), ...circles(graph)];
}

/** Rooms without a floor, and floors without a room. */
function listBreaches(root: string, floors: Floors, { files }: ImportGraph): string[] {
  const rooms = new Set(files.filter((file) => !isTest(file)).flatMap(roomsOf));
  const unlisted = [...rooms].filter((room) => !floorOf(floors[posix.dirname(room)], posix.basename(room)));
  const listed = Object.entries(floors).flatMap(([folder, { floors, apart = {} }]) =>
    [...floors.flat(), ...Object.entries(apart).flat(2)].map((name) => posix.join(folder, name)),
  );
  const twice = Object.entries(floors).flatMap(([folder, { floors }]) =>
    floors.flat().flatMap((name, at, all) => (all.indexOf(name) < at ? [posix.join(folder, name)] : [])),
  );
  return [
    ...unlisted.map((room) => `${room} is on no floor. Add it to the floors of ${posix.dirname(room)}.`),
    ...[...new Set([...Object.keys(floors), ...listed])]
      .filter((room) => !existsSync(join(root, room)))
      .map((room) => `The floors name ${room}, which does not exist.`),
    ...twice.map((room) => `${room} is on two floors.`),
  ];
}

/** What must have a floor because of a source file: the package, the folders that hold the file, and the file itself directly in `src`. */
function roomsOf(file: string): string[] {
  const parts = file.split('/');
  const folders = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
  const rooms = folders.filter((folder) => !/^packages(?:\/[^/]+\/src)?$/.test(folder));
  return parts.length === 4 ? [...rooms, file] : rooms;
}

function importBreaches(one: Import, floors: Floors): string[] {
  const { from, to, line, specifier } = one;
  if (to === undefined || to === from) return [];
  const says = `${from}:${line} imports ${specifier}`;
  if (isTest(to) && !isTest(from)) return [`${says}: a source does not import what tests use.`];
  const { folder, here, there } = whereTheyPart(from, to);
  if (folder === 'packages' && specifier.startsWith('.')) return [`${says}: packages import one another by name.`];
  const isBelowSrc = folder.split('/').length > 3;
  if (isTest(from) && isBelowSrc) return [];
  const level = floors[folder];
  const [mine, other] = [floorOf(level, here), floorOf(level, there)];
  if (mine === undefined || other === undefined) return [];
  if (other >= mine) return [`${says}: in ${folder}, ${here} is on floor ${mine} and ${there} on floor ${other}.`];
  return level?.apart?.[here]?.includes(there) ? [`${says}: in ${folder}, ${here} and ${there} are kept apart.`] : [];
}

/** The folder that both files are in, and the rooms of it in which each of them is. */
function whereTheyPart(from: string, to: string): { folder: string; here: string; there: string } {
  const [mine, other] = [from.split('/'), to.split('/')];
  const at = mine.findIndex((part, index) => part !== other[index]);
  return { folder: mine.slice(0, at).join('/'), here: mine[at] ?? '', there: other[at] ?? '' };
}

/** From 1, which is the lowest. */
function floorOf(level: Level | undefined, room: string): number | undefined {
  const at = level?.floors.findIndex((floor) => floor.includes(room)) ?? -1;
  return at < 0 ? undefined : at + 1;
}

function isTest(file: string): boolean {
  return /\.test\.ts$|\.test-support\.ts$|\/testing\//.test(file);
}

/** Circles among files, and in each folder among its rooms, each as the imports of one way around it. */
function circles({ imports }: ImportGraph): string[] {
  const among = new Map<string, Ways>();
  for (const one of imports) {
    const { from, to } = one;
    if (to === undefined) continue;
    addWay(among, 'files', from, to, one);
    if (to === from) continue;
    const { folder, here, there } = whereTheyPart(from, to);
    if (!isTest(from)) addWay(among, folder, posix.join(folder, here), posix.join(folder, there), one);
  }
  const found = [...among.values()]
    .flatMap(circlesIn)
    .map((circle) => circle.map(({ from, line, specifier }) => `${from}:${line} imports ${specifier}`));
  return [...new Set(found.map((circle) => `Circle: ${circle.join(', ')}.`))];
}

/** One import from each node to each other node. */
type Ways = Map<string, Map<string, Import>>;

function addWay(among: Map<string, Ways>, level: string, here: string, there: string, one: Import): void {
  const ways = among.get(level) ?? new Map<string, Map<string, Import>>();
  among.set(level, ways);
  const from = ways.get(here) ?? new Map<string, Import>();
  ways.set(here, from);
  if (!from.has(there)) from.set(there, one);
}

/** Circles that share no node: if many imports go around the same way, one of them is enough to see why. */
function circlesIn(ways: Ways): Import[][] {
  const left = withoutEnds(ways);
  const done = new Set<string>();
  return [...left.keys()].sort().flatMap((start) => {
    const circle = wayBack(start, left, done);
    for (const node of circle?.nodes ?? []) done.add(node);
    return circle ? [circle.imports] : [];
  });
}

/** Without the nodes from which no way leads to a circle: nearly all of them. */
function withoutEnds(ways: Ways): Ways {
  const left = new Map([...ways].filter(([, next]) => [...next.keys()].some((node) => ways.has(node))));
  return left.size === ways.size ? ways : withoutEnds(left);
}

/** The shortest way from a node back to it that goes through none of the nodes of other circles. */
function wayBack(start: string, ways: Ways, done: ReadonlySet<string>): { nodes: string[]; imports: Import[] } | undefined {
  if (done.has(start)) return undefined;
  const queue: { nodes: string[]; imports: Import[] }[] = [{ nodes: [start], imports: [] }];
  const reached = new Set(done);
  for (const { nodes, imports } of queue) {
    for (const [next, one] of ways.get(nodes.at(-1) ?? '') ?? []) {
      if (next === start) return { nodes, imports: [...imports, one] };
      if (!reached.has(next)) queue.push({ nodes: [...nodes, next], imports: [...imports, one] });
      reached.add(next);
    }
  }
  return undefined;
}
