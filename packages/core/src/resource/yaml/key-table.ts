/**
 * Keys that were read before. Manifests repeat a few hundred of them: to find one here is cheaper than to cut it out of the text anew, and
 * the engine knows it as a member name already. The table never grows: a key that needs a taken slot replaces the one in it.
 */
const SLOTS = 2048;
const LONGEST = 64;
const table: (string | undefined)[] = new Array(SLOTS).fill(undefined);

/** The key between two offsets of a text, if the table knows it. */
export function knownKey(text: string, start: number, end: number): string | undefined {
  const key = table[slotOf(text, start, end)];
  return key !== undefined && key.length === end - start && text.startsWith(key, start) ? key : undefined;
}

export function rememberKey(key: string): void {
  if (key.length <= LONGEST) table[slotOf(key, 0, key.length)] = key;
}

function slotOf(text: string, start: number, end: number): number {
  const middle = text.charCodeAt((start + end) >> 1);
  return (((text.charCodeAt(start) * 31 + middle) * 31 + text.charCodeAt(end - 1)) * 31 + end - start) & (SLOTS - 1);
}
