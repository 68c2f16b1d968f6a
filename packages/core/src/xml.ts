const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that no XML 1.0 document may hold, not even as a reference (https://www.w3.org/TR/xml/#charsets). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** Text for an element or an attribute in quotes, of XML or HTML. */
export function xml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
