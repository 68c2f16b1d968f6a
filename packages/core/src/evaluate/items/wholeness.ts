import type { InputError } from '../../errors.js';
import { HIDING, MOST_NAMED, type Note } from '../../note.js';
import { plural } from '../../plural.js';

/** What a caller says of its input, and what of it was not read. */
interface Claim {
  complete?: boolean;
  inputErrors?: readonly InputError[];
  inputNotes?: readonly Note[];
}

/**
 * Whether the input holds everything that is in the cluster. What could not be read may be what others refer to, so that such an input is not taken to be
 * complete, whatever the caller says; a note then says so.
 * @param errors of what was read
 */
export function wholeness(
  { complete, inputErrors = [], inputNotes = [] }: Claim,
  errors: readonly InputError[],
): { complete: boolean; notes: Note[] } {
  if (!complete) return { complete: false, notes: [] };
  const unread = [...inputErrors, ...errors];
  const hiding = inputNotes.filter(({ code }) => HIDING.has(code));
  const count = unread.length + hiding.reduce((sum, note) => sum + note.count, 0);
  if (count === 0) return { complete: true, notes: [] };
  const names = new Set([...unread.flatMap(({ location }) => location?.file ?? []), ...hiding.flatMap(({ first }) => first)]);
  const message = `The input does not count as complete, because ${plural(count, 'part of it was', 'parts of it were')} not read. References to objects that are not in the input are undecided.`;
  return { complete: false, notes: [{ code: 'input-not-complete', message, count, first: [...names].slice(0, MOST_NAMED) }] };
}
