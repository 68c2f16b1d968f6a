import type { ApiClient } from './api-client.js';
import { type ApiObject, create } from './objects.js';

/**
 * Fills the namespace `shop` as controllers would: a Deployment with its ReplicaSet and Pod, a CronJob with its Job and Pod, and a
 * bare Pod. All containers are privileged. No controller runs here, so each object names its owner itself.
 */
export async function createShop(admin: ApiClient): Promise<void> {
  await create(admin, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const web = await create(admin, '/apis/apps/v1/namespaces/shop/deployments', deployment('web'));
  const replicas = { ...deployment('web-5d8f'), kind: 'ReplicaSet', metadata: ownedBy(web, 'web-5d8f') };
  const replicaSet = await create(admin, '/apis/apps/v1/namespaces/shop/replicasets', replicas);
  await create(admin, '/api/v1/namespaces/shop/pods', { ...pod('web-5d8f-x2x'), metadata: ownedBy(replicaSet, 'web-5d8f-x2x') });
  const nightly = await create(admin, '/apis/batch/v1/namespaces/shop/cronjobs', cronJob('nightly'));
  const run = { apiVersion: 'batch/v1', kind: 'Job', metadata: ownedBy(nightly, 'nightly-1'), spec: jobSpec() };
  const job = await create(admin, '/apis/batch/v1/namespaces/shop/jobs', run);
  await create(admin, '/api/v1/namespaces/shop/pods', { ...pod('nightly-1-k9k'), metadata: ownedBy(job, 'nightly-1-k9k') });
  await create(admin, '/api/v1/namespaces/shop/pods', pod('debug'));
}

export function deployment(name: string, spec: object = podSpec()): ApiObject {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { selector: { matchLabels: labels }, template } };
}

export function pod(name: string, spec: object = podSpec()): ApiObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'web' } }, spec };
}

function ownedBy(owner: ApiObject, name: string): ApiObject['metadata'] {
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
  return { name, labels: { app: 'web' }, ownerReferences: [reference] };
}

function cronJob(name: string): ApiObject {
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec: { schedule: '0 3 * * *', jobTemplate: { spec: jobSpec() } } };
}

function jobSpec(): object {
  return { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } };
}

function podSpec(): object {
  return { containers: [{ name: 'web', image: 'registry.example/web:1.0', securityContext: { privileged: true } }] };
}
