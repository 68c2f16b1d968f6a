/** The APIs that take reports, and their kinds for one namespace and for what is in none. */
export const REPORT_APIS = {
  wgpolicy: { apiVersion: 'wgpolicyk8s.io/v1alpha2', namespaced: 'PolicyReport', cluster: 'ClusterPolicyReport' },
  openreports: { apiVersion: 'openreports.io/v1alpha1', namespaced: 'Report', cluster: 'ClusterReport' },
} as const;

export type ReportApi = keyof typeof REPORT_APIS;

/** One report, or a part of one. Both APIs have the same results; OpenReports names their source once. */
export interface PolicyReport {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels: { [name: string]: string } };
  source?: string;
  /** The namespace of the report. */
  scope?: ObjectReference;
  summary: ReportSummary;
  results: ReportResult[];
}

/** How many results there are of each outcome. */
export type ReportSummary = { [outcome in Outcome]: number };

export const OUTCOMES = ['pass', 'fail', 'warn', 'error', 'skip'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface ReportResult {
  source?: string;
  policy: string;
  category: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  result: Outcome;
  /** False where the finding does not count in our score either. */
  scored: boolean;
  message: string;
  resources: ObjectReference[];
  /** Texts only; absent where the finding does not have one. */
  properties: { [name: string]: string };
  timestamp?: { seconds: number; nanos: number };
}

export interface ObjectReference {
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
}
