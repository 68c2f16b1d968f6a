/** What a cluster needs to ask the webhook. */
export { webhookManifests } from './manifests.js';
export type { ManifestOptions } from './options.js';
