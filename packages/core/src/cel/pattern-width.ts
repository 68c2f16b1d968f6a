import type { RE2JS } from 're2js';

/** What re2js keeps of a pattern: the automaton that it builds while it matches, state by state. */
interface Automaton {
  readonly prog: { readonly start: number };
  readonly numClasses: number;
  /** The first character of each class but the first. */
  readonly classBounds: ArrayLike<number>;
  makeState(instructions: readonly number[], flags: number, ids: readonly number[]): State | null;
  /** Null when its memory is full. */
  step(state: State, characterClass: number, character: number, anchor: number): State | null;
  clearCache(): void;
}

interface State {
  readonly isMatch: boolean;
}

const [UNANCHORED, END_OF_TEXT] = [0, -1];

/** The text and a line begin where a search starts. */
const START_FLAGS = 1 | 4;

const MAX_STATES = 2_000;
const MAX_TRANSITIONS = 50_000;

/**
 * Whether the automaton of a pattern has few states: then re2js has made them all soon, and looks at one character in some ten nanoseconds. Of other
 * patterns a text can be made that needs a new state at every character, which takes up to a thousand times as long.
 */
export function isNarrow(compiled: RE2JS): boolean {
  // re2js does not declare the types; its version is pinned.
  const { onepass, dfa }: { onepass: unknown; dfa: Automaton } = compiled.re2();
  if (onepass !== null) return true;
  const narrow = isComplete(dfa);
  if (!narrow) dfa.clearCache();
  return narrow;
}

/** Makes all states. */
function isComplete(automaton: Automaton): boolean {
  const classes = [0, ...Array.from(automaton.classBounds)].map((character, index) => ({ index, character }));
  classes.push({ index: automaton.numClasses, character: END_OF_TEXT });
  const start = automaton.makeState([automaton.prog.start], START_FLAGS, []);
  const known = new Set([start]);
  let transitions = 0;
  for (const state of known) {
    if (state === null) return false;
    // Nobody looks at what follows a match.
    if (state.isMatch) continue;
    transitions += classes.length;
    if (known.size > MAX_STATES || transitions > MAX_TRANSITIONS) return false;
    for (const { index, character } of classes) known.add(automaton.step(state, index, character, UNANCHORED));
  }
  return true;
}
