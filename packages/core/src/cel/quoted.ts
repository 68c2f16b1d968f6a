/** A literal text as source of JavaScript. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
