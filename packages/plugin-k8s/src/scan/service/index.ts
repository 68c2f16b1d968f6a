/** Scans for those who ask a server: over REST, or as a tool. */
export { SCAN_BODY_SCHEMA, SCAN_REPORT, type ScanBody } from './scan-body.js';
export { SCANS, scanCluster } from './scan-endpoint.js';
