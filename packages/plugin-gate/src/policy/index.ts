/** Policy bundles: read, checked and compiled. The floor above runs them. */
export {
  type ApprovalNeed,
  type Bundle,
  type BundleError,
  type BundleTest,
  EFFECTS,
  type Effect,
  POLICY_ERROR,
  type Policy,
  type Trust,
} from './bundle.js';
export { conditionParts } from './condition.js';
export { type BundleFiles, BundleFilesError, bundleDigest, readBundleFiles } from './files.js';
export type { Matcher, MatchList, Subject } from './match.js';
export { type ReadBundle, readBundle, SAMPLE_BUNDLE } from './read-bundle.js';
export { VARIABLES } from './variables.js';
