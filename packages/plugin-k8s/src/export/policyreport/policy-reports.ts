import type { EvaluationEvent } from '@bylaw/core/evaluate';
import { reportedObject } from './place.js';
import { OUTCOMES, type PolicyReport, REPORT_APIS, type ReportApi, type ReportResult, type ReportSummary } from './report.js';
import { resultOf } from './result.js';

export interface ReportOptions {
  api: ReportApi;
  /** Name of the reports, each in its namespace; a valid DNS subdomain. */
  name: string;
  /** Where manifests that name no namespace belong. */
  namespace: string;
  /** See `ResultOptions`. */
  time?: Date | undefined;
}

/** What an evaluation says in addition to its findings. */
export type EvaluationEnd = Extract<EvaluationEvent, { type: 'end' }>;

/**
 * The findings of an evaluation as reports, one for each namespace and one for what is in none, in parts where there are many. A part is
 * given as soon as it is full; nothing but the open parts is in memory. Same events, same reports.
 * @returns the end of the evaluation
 */
export async function* policyReports(
  events: AsyncIterable<EvaluationEvent>,
  options: ReportOptions,
): AsyncGenerator<PolicyReport, EvaluationEnd | undefined> {
  const open = new Map<string | undefined, Draft>();
  const source = options.api === 'wgpolicy' ? SOURCE : undefined;
  let end: EvaluationEnd | undefined;
  for await (const event of events) {
    if (event.type === 'end') {
      end = event;
      continue;
    }
    for (const finding of event.batch.findings()) {
      const { reference, namespace } = reportedObject(finding, options.namespace);
      const result = resultOf(finding, reference, { source, time: options.time });
      const draft = open.get(namespace) ?? { part: 1, bytes: 0, results: [] };
      open.set(namespace, draft);
      const bytes = Buffer.byteLength(JSON.stringify(result));
      if (draft.results.length > 0 && draft.bytes + bytes > MAX_BYTES) {
        yield reportOf(draft, namespace, options);
        Object.assign(draft, { part: draft.part + 1, bytes: 0, results: [] });
      }
      draft.results.push(result);
      draft.bytes += bytes;
    }
  }
  for (const [namespace, draft] of [...open].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))) yield reportOf(draft, namespace, options);
  return end;
}

interface Draft {
  /** Counts from 1. */
  part: number;
  /** Of the results so far, as JSON. */
  bytes: number;
  results: ReportResult[];
}

const SOURCE = 'bylaw';

/** `kubectl apply` keeps a copy in an annotation, and all annotations of an object have 256 KiB. */
const MAX_BYTES = 192 * 1024;

function reportOf({ part, results }: Draft, namespace: string | undefined, { api, name }: ReportOptions): PolicyReport {
  const { apiVersion, namespaced, cluster } = REPORT_APIS[api];
  return {
    apiVersion,
    kind: namespace === undefined ? cluster : namespaced,
    metadata: {
      name: part === 1 ? name : `${name}-${part}`,
      ...(namespace !== undefined && { namespace }),
      labels: { 'app.kubernetes.io/managed-by': SOURCE },
    },
    ...(api === 'openreports' && { source: SOURCE }),
    ...(namespace !== undefined && { scope: { apiVersion: 'v1', kind: 'Namespace', name: namespace } }),
    summary: summaryOf(results),
    results,
  };
}

function summaryOf(results: readonly ReportResult[]): ReportSummary {
  const summary: ReportSummary = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  for (const outcome of OUTCOMES) summary[outcome] = results.filter(({ result }) => result === outcome).length;
  return summary;
}
