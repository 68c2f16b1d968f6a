/** Policy bundles: read, checked and compiled. The floor above runs them. */
export {
  type ApprovalNeed,
  type Bundle,
  type BundleError,
  type BundleTest,
  EFFECTS,
  type Effect,
  type Policy,
  type Trust,
} from './bundle.js';
export type { Matcher, MatchList, Subject } from './match.js';
