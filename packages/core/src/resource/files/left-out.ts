import { basename } from 'node:path';
import type { InputError } from '../../errors.js';
import { MOST_NAMED, NamesByReason, type Note, type NoteCode, namesText } from '../../note.js';
import { number, plural } from '../../plural.js';
import { countOfFormat, FORMAT_NAMES, type Format, formatNote, formatOfFile } from '../input/formats.js';
import { inByteOrder } from './folder.js';
import type { Found } from './found.js';
import { isManifestName } from './kustomization.js';
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
  const foreign = othersByFormat(walk);
  for (const [format, paths] of foreign) for (const path of paths) found.foreign.set(path, { format, name: nameOf(path) });
  const formats = new Set([...foreign.values()].flat());
  for (const path of walk.others.keys()) if (!formats.has(path)) found.others.set(path, nameOf(path));
  const { files, folders, skipped, tracked, untold } = walk.left;
  for (const path of files) found.left.files.set(path, shown(path));
  for (const path of [...folders, ...skipped]) if (basename(path) !== '.git') found.left.folders.set(path, shown(path));
  for (const path of tracked) found.left.tracked.set(path, shown(path));
  found.untold ||= untold;
  return walk.obstacles.filter(hidesInput).length;
}

/** What is to be said about things that were left out: one note for each reason, and one that counts. @param similar files that look like manifests */
export function notesOf(found: Found, similar: ReadonlyMap<string, string>): Note[] {
  const entries = new NamesByReason<Obstacle['what']>();
  for (const { what, name, hides } of found.obstacles.values()) if (!hides) entries.add(what, name);
  const files = new NamesByReason<Format>();
  for (const [path, { format, name }] of found.foreign) if (!found.inputs.has(path)) files.add(format, name);
  return [
    ...REASONS.flatMap((what): Note[] => {
      const named = entries.of(what);
      return named ? [{ code: 'entry-not-read', message: `${notReadText(what, named.count)} (${namesText(named)}).`, ...named }] : [];
    }),
    ...noteOn('template-left-out', found.templates, (count) => [
      `${plural(count, 'template')} of Helm charts ${count === 1 ? 'was' : 'were'} not evaluated, because Helm leaves them out: those of a library chart, those that .helmignore names, partials that define nothing, and tests`,
      '. For the tests, set render.helm.tests.',
    ]),
    ...noteOn('tracked-not-read', found.left.tracked, (count) => [
      `${plural(count, 'file')} in node_modules ${count === 1 ? 'was' : 'were'} not read, although Git tracks ${count === 1 ? 'it' : 'them'}`,
      '. To evaluate manifests there, name them on the command line.',
    ]),
    ...noteOn('name-not-read', unread(similar, found), (count) => [
      `${plural(count, 'file looks', 'files look')} like ${count === 1 ? 'a manifest' : 'manifests'}, but ${count === 1 ? 'its name does' : 'their names do'} not end in .yaml, .yml or .json, so ${count === 1 ? 'it was' : 'they were'} not read`,
      '. To evaluate such a file, name it on the command line.',
    ]),
    ...(found.untold ? noteOn('tracked-unknown', new Map([...found.left.files, ...found.left.folders]), untoldWords) : []),
    ...FORMAT_NAMES.flatMap((format) => formatNote(format, files.of(format)) ?? []),
    ...countNote(found),
  ];
}

function unread<T>(files: ReadonlyMap<string, T>, { inputs }: Found): Map<string, T> {
  return new Map([...files].filter(([path]) => !inputs.has(path)));
}

/** How many files were read of those below the folders, and why the others were not. */
function countNote(found: Found): Note[] {
  const read = [...found.inputs.values()].filter(({ path }) => path !== undefined).length + found.covered.size;
  const entries = new Map([...found.obstacles].flatMap(([place, { name }]) => (found.inputs.has(place) ? [] : [[place, name]])));
  const { files, folders, tracked } = found.left;
  const reasons = [
    [unread(found.others, found), ['has another name than .yaml, .yml or .json', 'have other names than .yaml, .yml or .json']],
    [new Map([...unread(found.foreign, found)].map(([path, { name }]) => [path, name])), ['is of another format', 'are of other formats']],
    [unread(files, found), ['is ignored by Git', 'are ignored by Git']],
    [unread(tracked, found), ['is in node_modules', 'are in node_modules']],
    [found.templates, ['is a template that Helm does not render', 'are templates that Helm does not render']],
    [entries, ['could not be read', 'could not be read']],
  ] as const;
  const skipped = new Map(reasons.flatMap(([paths]) => [...paths]));
  if (skipped.size + folders.size === 0) return [];
  const parts = reasons.flatMap(([{ size }, [one, many]]) => (size === 0 ? [] : [`${number(size)} ${size === 1 ? one : many}`]));
  const counts = `Looked at ${plural(read + skipped.size, 'file')}, read ${number(read)}`;
  const why = parts.length === 0 ? '.' : `: ${parts.join(', ')}.`;
  const unseen =
    folders.size === 0
      ? ''
      : ` ${plural(folders.size, 'folder')} that Git ignores or that ${folders.size === 1 ? 'is' : 'are'} named node_modules ${folders.size === 1 ? 'was' : 'were'} not searched.`;
  const all = inByteOrder([...skipped.values(), ...folders.values()], (name) => name);
  return [{ code: 'files-skipped', message: `${counts}${why}${unseen}`, count: all.length, first: all.slice(0, MOST_NAMED) }];
}

function untoldWords(): [string, string] {
  return [
    'Git did not list the files that it tracks, so bylaw left out everything that .gitignore names',
    '. If Git refuses the repository, run git status to see the reason.',
  ];
}

/** A note on some files, whose names are in the middle of its words. */
export function noteOn(code: NoteCode, files: ReadonlyMap<string, string>, words: (count: number) => [string, string]): Note[] {
  const names = new NamesByReason<NoteCode>();
  for (const name of inByteOrder([...files.values()], (name) => name)) names.add(code, name);
  const named = names.of(code);
  if (named === undefined) return [];
  const [before, after] = words(named.count);
  return [{ code, message: `${before} (${namesText(named)})${after}`, ...named }];
}

/** The error for a folder or pattern under which there is nothing to read: what is there instead. */
export function nothingIn(walk: Walk, named: string, pattern: boolean): InputError {
  const what = pattern ? `The pattern ${JSON.stringify(named)}` : 'The directory';
  const formats = [...othersByFormat(walk)].map(([format, { length }]) => [length, countOfFormat(length, format)] as const);
  const files = [...walk.left.files].filter(isManifestName).length;
  const folders = walk.left.folders.size;
  const entries = REASONS.map((reason) => [reason, walk.obstacles.filter(({ what }) => what === reason).length] as const);
  const reasons = [
    ...(formats.length === 0 ? [] : [formatsText(what, pattern, formats)]),
    ...(files + folders === 0
      ? []
      : [`${ignoredText(files, folders)} To evaluate an ignored file or folder, pass it on the command line.`]),
    ...entries.flatMap(([reason, count]) => (count === 0 ? [] : [`${notReadText(reason, count)}.`])),
    ...(walk.left.skipped.size === 0 ? [] : ['Folders named .git and node_modules are not searched.']),
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
