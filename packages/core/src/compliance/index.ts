/** Which rules support which controls of which frameworks, and the filter behind `--framework`. */
export { type ComplianceMap, type ControlMapping, complianceMap, type FrameworkMapping } from './compliance-map.js';
export { type FrameworkRef, frameworkMatches, parseFrameworkRef, refMatches, resolveFramework } from './framework-ref.js';
