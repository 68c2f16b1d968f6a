/** A literal text as source of JavaScript. */
export function quoted(literal: string | object | null): string {
  return JSON.stringify(literal).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
