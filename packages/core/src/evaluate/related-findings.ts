import type { Finding } from './finding.js';

/** A failing finding of a rule that may be the cause or the consequence of another. */
export interface RelatedFinding {
  finding: Finding;
  /** JSON Pointer of what the rule looked at: a container, an item, a Pod, or the empty one for the object. */
  at: string;
  /** Identifiers of the rules that may be its cause, the likeliest first. */
  causes: readonly string[];
}

/**
 * Names in each finding the rule that is its cause: the first of its causes that fails on the same thing, or on what holds it. What is itself caused by
 * another names the first cause of the chain. Suppressed findings are not given here, so that a waiver of the cause hides nothing else.
 */
export function linkCauses(related: readonly RelatedFinding[]): void {
  // By rule and place: an object may hold thousands of containers.
  const known = new Map(related.map((one) => [keyOf(one.finding.rule_id, one.at), one]));
  for (const one of related) {
    const cause = rootOf(one, known);
    if (cause !== one) one.finding.caused_by = cause.finding.rule_id;
  }
}

/** Causes do not run in a circle (see `readPack`), so this ends. */
function rootOf(one: RelatedFinding, known: ReadonlyMap<string, RelatedFinding>): RelatedFinding {
  for (const cause of one.causes)
    for (let at: string | undefined = one.at; at !== undefined; at = holderOf(at)) {
      const found = known.get(keyOf(cause, at));
      if (found) return rootOf(found, known);
    }
  return one;
}

function keyOf(rule: string, at: string): string {
  return `${rule} ${at}`;
}

/** The pointer of what holds the value at a pointer; undefined for the object itself. */
function holderOf(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}
