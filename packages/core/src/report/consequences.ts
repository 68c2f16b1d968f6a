import type { Finding } from '../evaluate/index.js';

/** Findings that have the same cause as another one: reports for people show them with it. */
export interface Consequences {
  /** @returns whether the finding is one, and so is not listed by itself */
  take(finding: Finding): boolean;
  /** How many there were. */
  total(): number;
  /**
   * The rules whose findings go with each of the listed findings, by finding and in the order of their identifiers. A finding without any is left out.
   * @param listed in report order
   */
  of(listed: readonly Finding[]): ReadonlyMap<Finding, readonly string[]>;
}

/** What is beyond is counted only: a report of hostile input must not fill the memory. */
const MOST_KEPT = 50_000;
const MOST_PER_RESOURCE = 1_000;

interface Kept {
  rule: string;
  path: string;
}

export function newConsequences(): Consequences {
  const kept = new Map<string, Kept[]>();
  let total = 0;
  let size = 0;
  return {
    take(finding) {
      const { caused_by: cause, rule_id: rule, path } = finding;
      if (cause === undefined) return false;
      total += 1;
      if (size >= MOST_KEPT) return true;
      const key = keyOf(finding, cause);
      const list = kept.get(key);
      if (!list) kept.set(key, [{ rule, path }]);
      else if (list.length >= MOST_PER_RESOURCE) return true;
      else list.push({ rule, path });
      size += 1;
      return true;
    },
    total: () => total,
    of: (listed) => attached(listed, kept),
  };
}

/** Of one rule on one resource. A resource may be there twice, in two files. */
function keyOf({ resource, location }: Finding, rule: string): string {
  const { api_version, kind, namespace, name } = resource;
  return JSON.stringify([location?.file, location?.rendered_from, api_version, kind, namespace, name, rule]);
}

function attached(listed: readonly Finding[], kept: ReadonlyMap<string, readonly Kept[]>): Map<Finding, readonly string[]> {
  const byKey = Map.groupBy(listed, (finding) => keyOf(finding, finding.rule_id));
  const rules = new Map<Finding, Set<string>>();
  for (const [key, causes] of byKey)
    for (const { rule, path } of kept.get(key) ?? []) {
      const cause = nearest(path, causes.slice(0, MOST_PER_RESOURCE));
      if (cause) rules.set(cause, (rules.get(cause) ?? new Set()).add(rule));
    }
  return new Map([...rules].map(([finding, names]) => [finding, [...names].sort()]));
}

/** The finding whose path has most in common with a path: a Pod may have several containers with the same fault. */
function nearest(path: string, causes: readonly Finding[]): Finding | undefined {
  let best: Finding | undefined;
  let most = -1;
  for (const cause of causes) {
    const common = commonLength(path, cause.path);
    if (common > most) [best, most] = [cause, common];
  }
  return best;
}

function commonLength(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a[length] === b[length]) length++;
  return length;
}
