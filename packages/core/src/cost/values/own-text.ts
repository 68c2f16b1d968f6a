/**
 * A copy of a text that was cut out of a piece of a file. What is kept for long must not be the cut itself: the engine keeps the whole piece alive
 * for it, and a bill is made of ten thousand pieces.
 */
export function ownText(text: string): string {
  return text.length < SHORTEST_CUT ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** V8 copies what is shorter (SlicedString::kMinLength). */
const SHORTEST_CUT = 13;

/** Neighbouring rows mostly hold the same text in a column: its meaning is kept until another comes. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  let last = '';
  let meaning = read(last);
  return (text) => {
    if (text !== last) {
      meaning = read(text);
      last = text;
    }
    return meaning;
  };
}
