import type { InputError } from './errors.js';
import { shorten } from './printable.js';

/**
 * Every kind of note that a run can give, with its stable code. `docs/reference/errors.md` lists them after the errors. A note is not an error: everything
 * that was to be evaluated was evaluated. It says what a reader of a clean report must not take for evaluated.
 */
export const NOTES = {
  'no-rules-selected': 'The filter selects none of the installed rules, so nothing was checked.',
  'category-not-installed': 'A selected category has no installed rule.',
  'entry-not-read':
    'Links that cannot be followed, pipes, sockets or devices below a folder were not read. Their names are not names of manifests.',
  'format-not-read': 'Files below a folder have a format that no installed plugin reads.',
  'files-skipped':
    'Not all files below the folders were read. The note counts the files that were read, and those that were not for each reason.',
  'name-not-read': 'Files look like manifests, but were not read because of their names.',
  'template-left-out':
    'Templates of Helm charts were not evaluated: those of library charts, those that .helmignore lists, partials that define nothing, and tests.',
  'tracked-not-read': 'Git tracks files in node_modules that were not read.',
  'tracked-unknown': 'Git did not list the files that it tracks, so ignored files were left out even if Git tracks them.',
  'patch-not-applied': 'Patches of kustomizations were not applied, and contain parts of objects, which rules cannot check.',
  'no-kubernetes-object': 'Files below a folder contain documents that are not Kubernetes objects.',
  'input-not-complete':
    '`--complete` was given, but a part of the input was not read, so references to objects that are not in the input are undecided.',
  unchanged: 'Files have not changed since the commit in `--changed-since` and were not evaluated.',
} as const satisfies Record<string, string>;

export type NoteCode = keyof typeof NOTES;

/** Notes on what may hold manifests that nobody has evaluated. Other notes are on files that were read, or that by their names hold something else. */
export const HIDING: ReadonlySet<NoteCode> = new Set<NoteCode>([
  'entry-not-read',
  'name-not-read',
  'patch-not-applied',
  'template-left-out',
  'tracked-not-read',
  'tracked-unknown',
]);

/** The error that such a note is where nothing may be skipped. */
export function skippedError({ message }: Note): InputError {
  return { code: 'input-skipped', message, location: null };
}

/** Something that was not evaluated although no error was met. Members in the order of the JSON output. */
export interface Note {
  code: NoteCode;
  /** One or more sentences: what was left out and why, and what to do if it should not be. */
  message: string;
  /** How many files, documents or names it is about; at least 1. */
  count: number;
  /** The first of them, as the user knows them: names of files, codes of categories. At most 20. */
  first: string[];
}

/** As many names as a note lists; the rest are only counted. */
export const MOST_NAMED = 20;

/** The names that a message shows: `a.tf, b.tf, c.tf, …`. The others are in `first`. */
export function namesText({ count, first }: Pick<Note, 'count' | 'first'>): string {
  const shown = first.slice(0, MOST_SHOWN).map((name) => shorten(name, LONGEST_SHOWN));
  return `${shown.join(', ')}${count > shown.length ? ', …' : ''}`;
}

const MOST_SHOWN = 3;
const LONGEST_SHOWN = 200;

/** Counts names by the reason for which they are noted, and keeps the first of each. Memory is bounded by the number of reasons. */
export class NamesByReason<Reason> {
  private readonly names = new Map<Reason, Pick<Note, 'count' | 'first'>>();

  add(reason: Reason, name: string): void {
    const known = this.names.get(reason) ?? { count: 0, first: [] };
    this.names.set(reason, known);
    known.count += 1;
    if (known.first.length < MOST_NAMED) known.first.push(name);
  }

  /** What was counted for a reason, or undefined if nothing was. */
  of(reason: Reason): Pick<Note, 'count' | 'first'> | undefined {
    return this.names.get(reason);
  }
}
