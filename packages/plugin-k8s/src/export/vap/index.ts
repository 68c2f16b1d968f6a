/** Rules as ValidatingAdmissionPolicies, which the API server evaluates by itself. */
export { actionsFor, MODES } from './actions.js';
export { type ExportedRule, exportPolicies, type PolicyExport, type SkippedRule } from './export-policies.js';
export { EXEMPT_SYSTEM, parseLabelSelector } from './namespace-selector.js';
export type { PolicyOptions } from './policy.js';
