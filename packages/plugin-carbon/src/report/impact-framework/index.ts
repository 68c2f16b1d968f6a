/** Estimates as manifests that the Impact Framework of the Green Software Foundation computes again. */
export { type ExportedEstimate, type ImpactFrameworkOptions, impactFramework } from './manifest.js';
