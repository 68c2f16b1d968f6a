/**
 * The kinds that a document of YAML text can hold, without parsing it, or undefined where only parsing can tell (JSON, flow
 * style, lists, anchors). Used to skip documents that no `+set` rule reads: it may name too many kinds, never too few.
 */
export function scanKinds(text: string): ReadonlySet<string> | undefined {
  const kinds = new Set<string>();
  let matched = false;
  for (const match of text.matchAll(/^(["']?)kind\1[ \t]*:[ \t]*(.*?)[ \t]*(?:#.*)?\r?$/gm)) {
    const value = match[2]?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(value) || value.endsWith('List')) return undefined;
    kinds.add(value);
    matched = true;
  }
  return matched ? kinds : undefined;
}
