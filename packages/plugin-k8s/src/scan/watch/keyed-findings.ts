import { belongsInBaseline, type EvaluationEvent, type Finding } from '@bylaw/core/evaluate';
import { groupOf } from '@bylaw/core/resource';
import type { KubernetesObject } from '../../cluster/cluster.js';

/** The failing findings on one object, by what stays the same from one version of the object to the next. */
export type ObjectFindings = Map<string, Finding>;

/** Findings by object, see `keyOfObject`. */
export type FindingsByObject = Map<string, ObjectFindings>;

/** What identifies an object of a cluster, whatever the version of its API. */
export function keyOfObject({ apiVersion, kind, metadata }: KubernetesObject): string {
  return keyOf(apiVersion, kind, metadata?.namespace ?? null, metadata?.name ?? '');
}

/** Gathers the findings of a run. Give `onBaselineKeys` to the run, and each of its events to `take`. */
export function findingCollector(into: FindingsByObject) {
  let keys: readonly string[] = [];
  return {
    onBaselineKeys: (next: readonly string[]): void => {
      keys = next;
    },
    take(event: EvaluationEvent): void {
      if (event.type !== 'findings') return;
      // The run tells keys of these only, batch by batch, each just before its findings.
      for (const [index, finding] of event.batch.findings().filter(belongsInBaseline).entries())
        if (finding.status === 'fail') add(into, finding, keys[index] ?? '');
    },
  };
}

function add(into: FindingsByObject, finding: Finding, key: string): void {
  const { api_version, kind, namespace, name } = finding.resource;
  const object = keyOf(api_version, kind, namespace, name);
  const known = into.get(object) ?? new Map<string, Finding>();
  let unique = key;
  while (known.has(unique)) unique += '+';
  into.set(object, known.set(unique, finding));
}

function keyOf(apiVersion: string, kind: string, namespace: string | null, name: string): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
}
