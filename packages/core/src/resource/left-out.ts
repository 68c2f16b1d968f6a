import { basename } from 'node:path';
import type { InputError } from '../errors.js';
import { NamesByReason, type Note, namesText } from '../note.js';
import { plural } from '../plural.js';
import { inByteOrder } from './folder.js';
import { countOfFormat, FORMAT_NAMES, type Format, formatNote, formatOfFile } from './formats.js';
import type { Found } from './found.js';
import { HARMLESS, hidesInput, type Obstacle, obstacleError } from './obstacle.js';
import type { Walk } from './walk.js';

const REASONS = Object.keys(HARMLESS) as (keyof typeof HARMLESS)[]; // the keys of the table, nothing else

interface Names {
  /** The name of a path below the folder that was named. */
  shown(path: string): string;
  /** The name of a file by its real path. */
  nameOf(real: string): string;
}

/** Adds what a walk met and will not read: errors for what may hold manifests, the rest is kept for the notes. Returns the number of the former. */
export function addLeftOut(found: Found, walk: Walk, { shown, nameOf }: Names): number {
  for (const obstacle of inByteOrder(walk.obstacles, ({ path }) => path)) {
    if (found.obstacles.has(obstacle.place)) continue;
    const name = shown(obstacle.path);
    const hides = hidesInput(obstacle);
    found.obstacles.set(obstacle.place, { what: obstacle.what, name, hides });
    if (hides) found.errors.push(obstacleError(obstacle, name));
  }
  for (const [format, paths] of othersByFormat(walk)) for (const path of paths) found.foreign.set(path, { format, name: nameOf(path) });
  return walk.obstacles.filter(hidesInput).length;
}

/** What is to be said about things that were left out: one note for each reason. */
export function notesOf(found: Found): Note[] {
  const entries = new NamesByReason<Obstacle['what']>();
  for (const { what, name, hides } of found.obstacles.values()) if (!hides) entries.add(what, name);
  const files = new NamesByReason<Format>();
  for (const [path, { format, name }] of found.foreign) if (!found.inputs.has(path)) files.add(format, name);
  return [
    ...REASONS.flatMap((what): Note[] => {
      const named = entries.of(what);
      return named ? [{ code: 'entry-not-read', message: `${notReadText(what, named.count)} (${namesText(named)}).`, ...named }] : [];
    }),
    ...FORMAT_NAMES.flatMap((format) => formatNote(format, files.of(format)) ?? []),
  ];
}

/** The error for a folder or pattern under which there is nothing to read: what is there instead. */
export function nothingIn(walk: Walk, named: string, pattern: boolean): InputError {
  const what = pattern ? `The pattern ${JSON.stringify(named)}` : 'The directory';
  const formats = [...othersByFormat(walk)].map(([format, { length }]) => [length, countOfFormat(length, format)] as const);
  const { files, folders, skipped } = walk.left;
  const entries = REASONS.map((reason) => [reason, walk.obstacles.filter(({ what }) => what === reason).length] as const);
  const reasons = [
    ...(formats.length === 0 ? [] : [formatsText(what, pattern, formats)]),
    ...(files + folders === 0
      ? []
      : [`${ignoredText(files, folders)} To evaluate an ignored file or folder, pass it on the command line.`]),
    ...entries.flatMap(([reason, count]) => (count === 0 ? [] : [`${notReadText(reason, count)}.`])),
    ...(skipped === 0 ? [] : ['Folders named .git and node_modules are not searched.']),
  ];
  const nothing = `${what} ${pattern ? 'matches' : 'contains'} no .yaml, .yml or .json file${reasons.length === 0 ? '' : ' that can be evaluated'}.`;
  const quote = pattern ? ' Quote the pattern, so that the shell does not expand it.' : '';
  const message = formats.length === 0 ? [nothing, ...reasons].join(' ') : reasons.join(' ');
  return { code: 'no-manifests', message: `${message}${quote}`, location: { file: named, line: 1, column: 1 } };
}

function formatsText(what: string, pattern: boolean, formats: readonly (readonly [number, string])[]): string {
  const count = formats.reduce((sum, [length]) => sum + length, 0);
  return `${what} ${pattern ? 'matches' : 'contains'} ${plural(count, 'file')} that no installed plugin reads: ${formats.map(([, text]) => text).join(', ')}.`;
}

function ignoredText(files: number, folders: number): string {
  const parts = [
    ...(files === 0 ? [] : [plural(files, '.yaml, .yml or .json file')]),
    ...(folders === 0 ? [] : [plural(folders, 'folder')]),
  ];
  return `Git ignores ${parts.join(' and ')} there.`;
}

function notReadText(what: (typeof REASONS)[number], count: number): string {
  const [it, they] = HARMLESS[what];
  return plural(count, `entry was not read, because it ${it}`, `entries were not read, because they ${they}`);
}

/** The files that are of a format known by its names, in the order of the formats. */
function othersByFormat({ others }: Walk): Map<Format, string[]> {
  const found = Map.groupBy(
    inByteOrder([...others.keys()], (path) => path),
    (real) => formatOfFile(basename(others.get(real) ?? real)),
  );
  return new Map(FORMAT_NAMES.flatMap((format) => (found.has(format) ? [[format, found.get(format) ?? []]] : [])));
}
