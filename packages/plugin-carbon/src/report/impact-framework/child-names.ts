/**
 * Names for the children of a tree, one for each identifier: the identifier itself, or `item-7` where a reader of YAML or JavaScript would
 * take it for something else.
 * @param ids may hold anything, and repeat
 */
export function childNames(ids: readonly string[]): string[] {
  const taken = new Set(ids.filter(isPlain));
  const used = new Set<string>();
  return ids.map((id, index) => {
    const name = isPlain(id) && !used.has(id) ? id : freeName(index + 1, taken);
    used.add(name);
    return name;
  });
}

function freeName(position: number, taken: Set<string>): string {
  let name = `item-${position}`;
  while (taken.has(name)) name = `${name}-`;
  taken.add(name);
  return name;
}

/** Printable, no number, no date and no word of YAML 1.1, and no member that every object of JavaScript has. */
function isPlain(id: string): boolean {
  return /^[A-Za-z][\x21-\x7e]{0,199}$/.test(id) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(id) && !(id in Object.prototype);
}
