/** Kubeconfigs: where they are, what they hold, and what a context of one comes to. */
export type { Access, ExecPlugin, ServerTrust, User } from './access.js';
export { findAccess } from './find-access.js';
export { SERVICE_ACCOUNT_FOLDER } from './in-cluster.js';
export type { Environment } from './load-kubeconfig.js';
