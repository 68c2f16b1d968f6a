/** Findings as reports of the Policy Working Group of Kubernetes, and of OpenReports. */
export { type EvaluationEnd, policyReports, type ReportOptions } from './policy-reports.js';
export { type PolicyReport, REPORT_APIS, type ReportApi } from './report.js';
