/** What one rule says about one resource, all items of the resource taken together. */
export type Outcome = 'pass' | 'waived' | 'fail';

/** Numbers of distinct resources, for one rule. */
export interface RuleCount {
  /** Resources to which the rule applied at all. */
  applicable: number;
  /** Resources with at least one failing finding that no exception covers. */
  failed: number;
  /** Resources whose every failing finding is covered by an exception. */
  waived: number;
  /** Resources that do not fail, but would if a value that is unknown at plan time turned out bad. */
  unknown: number;
}

/**
 * The counts of a run, or of the part of it that one worker did. Plain JSON: it can be posted between threads and merged there.
 * A resource must be recorded by one worker only.
 */
export interface Tally {
  /** Resources that were parsed and evaluated. */
  resources: number;
  /** Resources that were met, those of unreadable documents included: never less than `resources`. */
  found: number;
  /** Those of `resources` whose kind no selected rule names, by kind. A map, because a kind is a text of the input, such as `__proto__`. */
  unchecked: Map<string, number>;
  rules: { [ruleId: string]: RuleCount };
}

export function newTally(): Tally {
  return { resources: 0, found: 0, unchecked: new Map(), rules: {} };
}

/** Counts one resource that was found: evaluated, or lost because its document cannot be read. */
export function recordResource(tally: Tally, evaluated = true): void {
  tally.found += 1;
  if (evaluated) tally.resources += 1;
}

/** Counts resources of a kind that no selected rule names. They count as resources, too. */
export function recordUnchecked({ unchecked }: Tally, kind: string, count = 1): void {
  unchecked.set(kind, (unchecked.get(kind) ?? 0) + count);
}

/** The number of resources that no selected rule names. */
export function uncheckedOf({ unchecked }: Tally): number {
  return unchecked.values().reduce((sum, count) => sum + count, 0);
}

/**
 * Counts what a rule says about a resource: call it once per resource and rule, with the strongest outcome of all items
 * (see `strongest`), and never where the rule is not applicable.
 */
export function record(tally: Tally, ruleId: string, outcome: Outcome, unknown = false): void {
  addOutcome(countOf(tally, ruleId), outcome, unknown);
}

/** The same on counts that the caller holds already. */
export function addOutcome(count: RuleCount, outcome: Outcome, unknown = false): void {
  count.applicable += 1;
  if (outcome === 'fail') count.failed += 1;
  else if (outcome === 'waived') count.waived += 1;
  if (unknown && outcome !== 'fail') count.unknown += 1;
}

/** The counts of a rule, to be added to in place: for a loop that cannot pay for a look-up per resource. */
export function countOf(tally: Tally, ruleId: string): RuleCount {
  const known = Object.hasOwn(tally.rules, ruleId) ? tally.rules[ruleId] : undefined;
  if (known !== undefined) return known;
  const count: RuleCount = { applicable: 0, failed: 0, waived: 0, unknown: 0 };
  // defineProperty, because an identifier such as `__proto__` must become a member like any other
  Object.defineProperty(tally.rules, ruleId, { value: count, enumerable: true, writable: true, configurable: true });
  return count;
}

const STRENGTH: { [outcome in Outcome]: number } = { pass: 0, waived: 1, fail: 2 };

/** Of two outcomes for one resource the one that counts: fail before waived before pass. */
export function strongest(a: Outcome, b: Outcome): Outcome {
  return STRENGTH[a] >= STRENGTH[b] ? a : b;
}

/** The counts of two parts of a run together, as a new tally. Associative and commutative. */
export function mergeTally(a: Tally, b: Tally): Tally {
  const merged = newTally();
  for (const part of [a, b]) {
    merged.resources += part.resources;
    merged.found += part.found;
    for (const [kind, count] of part.unchecked) recordUnchecked(merged, kind, count);
    for (const [ruleId, count] of Object.entries(part.rules)) {
      const sum = countOf(merged, ruleId);
      sum.applicable += count.applicable;
      sum.failed += count.failed;
      sum.waived += count.waived;
      sum.unknown += count.unknown;
    }
  }
  return merged;
}
