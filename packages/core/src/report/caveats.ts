import { exceptionTexts } from './exception-text.js';
import type { RunEnd } from './reporter.js';
import { placeOf, plural, uncheckedText, undecidedText } from './wording.js';

/** Something that the reader of a report must know in addition to the findings. */
export interface Caveat {
  /** `unchecked`, `undecided`: rules do not cover, or cannot decide, a part of the input. `exception`: findings that do not count, or would not. */
  kind: 'error' | 'note' | 'unchecked' | 'undecided' | 'exception';
  /** One sentence or more. It may hold text of the input: escape it. */
  text: string;
}

/**
 * Why a run without findings may not be clean, and one with findings not complete. Every format shows all of it where it has a place for it.
 * Empty if everything was read and checked, and no exception covers anything.
 */
export function caveatsOf({ errors, notes, summary }: Pick<RunEnd, 'errors' | 'notes' | 'summary'>): Caveat[] {
  const some = (kind: Caveat['kind'], texts: readonly string[]): Caveat[] =>
    texts.filter((text) => text !== '').map((text) => ({ kind, text }));
  return [
    ...some(
      'error',
      errors.map(({ message, location }) => `${location === null ? '' : `${placeOf(location)}: `}${message}`),
    ),
    ...some('error', [failedText(summary.errors - errors.length)]),
    ...some(
      'note',
      notes.map(({ message }) => message),
    ),
    ...some('unchecked', [uncheckedText(summary)]),
    ...some('undecided', [undecidedText(summary)]),
    ...some('exception', exceptionTexts(summary)),
  ];
}

/** Rules that fail are findings with the status `error`, which a format may leave out. */
function failedText(failed: number): string {
  return failed <= 0 ? '' : `${plural(failed, 'check')} could not be evaluated: the rule failed on the resource.`;
}
