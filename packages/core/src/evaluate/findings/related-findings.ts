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
 * Names in each finding the rule that is its cause: the first of its causes that fails on the same thing, on what holds it, or on a part of it. What is
 * itself caused by another names the first cause of the chain. Suppressed findings are not given here, so that a waiver of the cause hides nothing else.
 */
export function linkCauses(related: readonly RelatedFinding[]): void {
  const places = placesOf(related);
  for (const one of related) {
    const cause = rootOf(one, places);
    if (cause !== one) one.finding.caused_by = cause.finding.rule_id;
  }
}

/** Findings by rule and place: an object may hold thousands of containers. */
interface Places {
  at: ReadonlyMap<string, RelatedFinding>;
  /** The first finding on a part of a place. */
  within: ReadonlyMap<string, RelatedFinding>;
}

function placesOf(related: readonly RelatedFinding[]): Places {
  const at = new Map<string, RelatedFinding>();
  const within = new Map<string, RelatedFinding>();
  for (const one of related) {
    const rule = one.finding.rule_id;
    at.set(keyOf(rule, one.at), one);
    for (let holder = holderOf(one.at); holder !== undefined; holder = holderOf(holder)) {
      const key = keyOf(rule, holder);
      if (within.has(key)) break;
      within.set(key, one);
    }
  }
  return { at, within };
}

/** Causes do not run in a circle (see `readPack`), so this ends. */
function rootOf(one: RelatedFinding, places: Places): RelatedFinding {
  for (const rule of one.causes) {
    const found = causeOf(one, rule, places);
    if (found) return rootOf(found, places);
  }
  return one;
}

function causeOf({ at: place }: RelatedFinding, rule: string, { at, within }: Places): RelatedFinding | undefined {
  for (let holder: string | undefined = place; holder !== undefined; holder = holderOf(holder)) {
    const found = at.get(keyOf(rule, holder));
    if (found) return found;
  }
  return within.get(keyOf(rule, place));
}

function keyOf(rule: string, at: string): string {
  return `${rule} ${at}`;
}

/** The pointer of what holds the value at a pointer; undefined for the object itself. */
function holderOf(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}
