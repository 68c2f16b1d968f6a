import type { InputError } from '../../errors.js';
import type { Places } from './places.js';

/** A text that was rendered has no lines that a user could go to: all of it stands at the start of the file that it was made from. */
const START = { line: 1, column: 1 };

export const RENDERED_PLACES: Places = { position: () => START, positionAt: () => START };

/** An error about a part of a rendered text. */
export function placedAtStart(error: InputError, rendered: string): InputError {
  return { ...error, location: error.location && { file: error.location.file, ...START, rendered_from: rendered } };
}
