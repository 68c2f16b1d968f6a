/** Which rules support which controls of which frameworks, what a run says about them, and the filter behind `--framework`. */
export type { CitedControl, CitingRule } from './cited-frameworks.js';
export { type ComplianceMap, type Coverage, complianceMap, type FrameworkMapping } from './compliance-map.js';
export {
  type ComplianceReport,
  type ControlCompliance,
  type ControlStatus,
  type CoveredControl,
  complianceReport,
  type EvaluatedRules,
  type FrameworkCompliance,
  type NotCheckedReason,
  type RuleResult,
} from './compliance-report.js';
export { type FrameworkRef, frameworkMatches, parseFrameworkRef, refMatches, resolveFramework } from './framework-ref.js';
export { type Control, type ControlList, controlListOf } from './frameworks/index.js';
