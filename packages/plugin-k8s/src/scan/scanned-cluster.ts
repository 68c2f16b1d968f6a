import type { InputError } from '@bylaw/core/errors';
import { plural } from '@bylaw/core/report';

/** What the report of a scan says about the cluster, members in the order of the JSON. */
export interface ScannedCluster {
  version: string;
  /** Null within a cluster. */
  context: string | null;
  /** Null: all of them. */
  namespaces: string[] | null;
  /** Resources that were evaluated, by kind; 0 where there are none. */
  resources_by_kind: { [kind: string]: number };
  /** Kinds that could not be listed, or not to their end; `group/*` where a whole group does not answer. */
  denied: { kind: string; reason: string }[];
  /** Kinds that the cluster serves, that this scan could have looked at, and that no selected rule covers. */
  kinds_not_covered: string[];
  /** Selected rules that were not applied, because they read kinds which this scan did not look at or could not list. */
  rules_not_applied: string[];
}

/** Each gap as an error of the report, so that nobody takes a part of the cluster for all of it. */
export function gapErrors(denied: readonly { kind: string; reason: string }[]): InputError[] {
  return denied.map(({ kind, reason }) => ({ code: 'kind-not-listed', message: `${kind} could not be listed: ${reason}`, location: null }));
}

/** The same for people. */
export function aboutCluster(cluster: ScannedCluster): string[] {
  const { version, context, namespaces, denied, kinds_not_covered: uncovered, rules_not_applied: rules } = cluster;
  const name = context === null ? 'This cluster' : `Cluster ${context}`;
  const kinds = Object.keys(cluster.resources_by_kind).length;
  return [
    `${name} (${version}), ${namespacesText(namespaces)}, ${plural(kinds, 'kind')}.`,
    ...(denied.length > 0
      ? [
          `This scan is partial: ${plural(denied.length, 'kind')} could not be listed. \`bylaw export clusterrole\` prints the permissions that a scan needs.`,
        ]
      : []),
    ...(uncovered.length > 0
      ? [`No selected rule covers ${plural(uncovered.length, 'kind')} that the cluster serves: ${some(uncovered)}.`]
      : []),
    ...(rules.length > 0
      ? [`${plural(rules.length, 'rule')} not applied, because not all required kinds were listed: ${some(rules)}.`]
      : []),
  ];
}

const MOST = 5;

function namespacesText(namespaces: readonly string[] | null): string {
  if (namespaces === null) return 'all namespaces';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${some(namespaces)}`;
}

function some(names: readonly string[]): string {
  const more = names.length - MOST;
  return `${names.slice(0, MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
