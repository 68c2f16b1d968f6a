/** What a target of a rule names. */
export type Target =
  | { type: 'any' }
  | { type: 'pod' }
  | { type: 'builtin'; kind: string }
  | { type: 'custom'; group: string; kind: string }
  | { type: 'group'; group: string };

export interface ParsedTarget {
  target: Target;
  /** The rule also looks at the other resources. */
  set: boolean;
}

/** Reads `PodSpec`, `Kind`, `group/Kind`, `group/*`, `*` or a Terraform type, with ` +set` after it or not. */
export function parseTarget(text: string): ParsedTarget {
  const set = text.endsWith(' +set');
  const name = set ? text.slice(0, -' +set'.length) : text;
  return { target: parseName(name), set };
}

/** Whether a target with ` +set` is among the targets without it, too: the rule then also works on one object, with an empty set. */
export function worksAlone(target: string, targets: readonly string[]): boolean {
  return parseTarget(target).set && targets.includes(target.slice(0, -' +set'.length));
}

function parseName(name: string): Target {
  if (name === '*') return { type: 'any' };
  if (name === 'PodSpec') return { type: 'pod' };
  const slash = name.indexOf('/');
  if (slash < 0) return { type: 'builtin', kind: name };
  const group = name.slice(0, slash);
  const kind = name.slice(slash + 1);
  return kind === '*' ? { type: 'group', group } : { type: 'custom', group, kind };
}

/**
 * The name by which rules call the kind of a resource: `Kind` where the API server itself serves the group, or for
 * Terraform, else `group/Kind`.
 */
export function kindName(apiVersion: string, kind: string, builtin: boolean): string {
  if (builtin || apiVersion === 'terraform') return kind;
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? kind : `${apiVersion.slice(0, slash)}/${kind}`;
}
