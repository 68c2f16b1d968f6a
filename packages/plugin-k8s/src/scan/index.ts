/** Scanning a cluster: which kinds the rules look at, listing them, and evaluating what is listed. */
export { checkNamespaces } from './check-namespaces.js';
export { boundRole, type ClusterRole, clusterRole } from './cluster-role.js';
export { kindsEvaluated } from './kinds-evaluated.js';
export { type Gaps, type KindPage, listKinds } from './listing.js';
export type { ScanScope } from './plan-scan.js';
export { resourcesOf } from './resource-names.js';
export { type OpenScan, openScan, type ScanRequest, type ScanTools, scan } from './scan.js';
export { aboutCluster, gapErrors, type ScannedCluster } from './scanned-cluster.js';
export { type FindingsByObject, findingCollector } from './watch/keyed-findings.js';
export { type FindingChange, watchFindings } from './watch/watch-findings.js';
export type { WatchTools } from './watch/watch-kinds.js';
