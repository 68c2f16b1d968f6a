import type { InputError } from '../../errors.js';
import { printable } from '../../printable.js';
import { placeOf } from '../../report/index.js';

/** More would hide the result on the terminal. */
const MOST_ERRORS = 20;

/** Writes to stderr the first errors of a run whose output does not hold them. */
export function tellErrors(errors: readonly InputError[]): void {
  for (const { message, location } of errors.slice(0, MOST_ERRORS)) {
    const place = location === null ? '' : `${placeOf(location)}: `;
    process.stderr.write(`error: ${place}${printable(message)}\n`);
  }
  const rest = errors.length - MOST_ERRORS;
  if (rest > 0) process.stderr.write(`and ${rest} more\n`);
}
