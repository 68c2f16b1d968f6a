import type { InputError } from '../../errors.js';
import { unreadable } from '../input/input.js';
import { isManifestName } from './kustomization.js';

/** More folders behind links than any tree of manifests has: links that lead to each other's folders multiply. */
export const MOST_LINKED_FOLDERS = 5_000;

/** Something below a folder that cannot be read, or is not read for safety. */
export interface Obstacle {
  /** The path by which it was reached, absolute. */
  path: string;
  /** Its own place: the links on the way to it are resolved. */
  place: string;
  what: 'leads-out' | 'leads-nowhere' | 'runs-in-a-circle' | 'too-many-links' | 'pipe' | 'socket' | 'device' | 'unreadable';
  /** Whether a link that leads out leads to a folder. */
  folder?: boolean;
  /** Why it is unreadable. */
  error?: unknown;
}

/**
 * Whether manifests may be missing because of it: by its name, because it is a folder, or because nobody can know. Any other obstacle is a file that
 * would not be read anyway.
 */
export function hidesInput({ path, what, folder = false }: Obstacle): boolean {
  return what === 'unreadable' || what === 'too-many-links' || folder || isManifestName(path);
}

/** The error for an obstacle that hides input. @param file the name under which the user knows it */
export function obstacleError({ what, folder, error }: Obstacle, file: string): InputError {
  if (what === 'unreadable') return unreadable(file, error, { found: true });
  const location = { file, line: 1, column: 1 };
  switch (what) {
    case 'leads-out':
      return {
        code: 'link-not-followed',
        message: `This link points to a ${folder ? 'folder' : 'file'} outside the evaluated folder and its Git repository, so it was not followed. To evaluate its target, pass the link itself on the command line.`,
        location,
      };
    case 'leads-nowhere':
      return {
        code: 'link-not-followed',
        message: 'The target of this link does not exist. Correct the target, or remove the link.',
        location,
      };
    case 'too-many-links':
      return {
        code: 'link-not-followed',
        message: `The pattern leads through more than ${MOST_LINKED_FOLDERS.toLocaleString('en')} folders behind links, so none of its files were read. Pass the folder instead, or a narrower pattern.`,
        location,
      };
    case 'runs-in-a-circle':
      return { code: 'link-not-followed', message: 'This link points back to itself. Correct its target, or remove the link.', location };
    default:
      return {
        code: 'not-a-file',
        message: `This is a ${NAMES[what]}, not a file, so it was not read. ${what === 'socket' ? 'Remove or rename it.' : 'If it provides manifests, pass it on the command line; otherwise, remove or rename it.'}`,
        location,
      };
  }
}

const NAMES = { pipe: 'named pipe', socket: 'socket', device: 'device' } as const;

/** Why an obstacle that hides nothing was not read: of one, and of several. */
export const HARMLESS: { readonly [what in Exclude<Obstacle['what'], 'unreadable' | 'too-many-links'>]: readonly [string, string] } = {
  'leads-out': [
    'is a link to a target outside the evaluated folder and its Git repository',
    'are links to targets outside the evaluated folder and its Git repository',
  ],
  'leads-nowhere': ['is a link whose target does not exist', 'are links whose targets do not exist'],
  'runs-in-a-circle': ['is a link that points back to itself', 'are links that point back to themselves'],
  pipe: ['is a named pipe', 'are named pipes'],
  socket: ['is a socket', 'are sockets'],
  device: ['is a device', 'are devices'],
};
