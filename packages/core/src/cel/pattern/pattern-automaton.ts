import type { RE2JS } from 're2js';

/** What re2js keeps of a pattern: the automaton that it builds while it tests texts, state by state. */
interface Automaton {
  readonly prog: { readonly start: number };
  readonly numClasses: number;
  /** The first character of each class but the first. */
  readonly classBounds: ArrayLike<number>;
  runeClass(character: number): number;
  makeState(instructions: readonly number[], flags: number, ids: readonly number[]): State | null;
  /** Null when its memory is full. */
  step(state: State, characterClass: number, character: number, anchor: number): State | null;
  clearCache(): void;
}

interface State {
  readonly isMatch: boolean;
  /** The instructions that a search has come to at once. */
  readonly nfaStates: readonly number[];
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
  const automaton = automatonOf(compiled);
  const narrow = isComplete(automaton);
  if (!narrow) automaton.clearCache();
  return narrow;
}

/** How many instructions of a narrow pattern a search in the text has come to at one character, on average: so many are looked at to find a match. */
export function averageWidth(compiled: RE2JS, text: string): number {
  const automaton = automatonOf(compiled);
  let state = startOf(automaton);
  let instructions = 0;
  for (let index = 0; index < text.length && state !== null; index++) {
    const unit = text.charCodeAt(index);
    instructions += state.nfaStates.length;
    state = automaton.step(state, automaton.runeClass(unit), unit, UNANCHORED);
  }
  return instructions / text.length;
}

function automatonOf(compiled: RE2JS): Automaton {
  // re2js does not declare the type; its version is pinned.
  return compiled.re2().dfa as Automaton;
}

function startOf(automaton: Automaton): State | null {
  return automaton.makeState([automaton.prog.start], START_FLAGS, []);
}

/** Makes all states. */
function isComplete(automaton: Automaton): boolean {
  const classes = [0, ...Array.from(automaton.classBounds)].map((character, index) => ({ index, character }));
  classes.push({ index: automaton.numClasses, character: END_OF_TEXT });
  const known = new Set([startOf(automaton)]);
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
