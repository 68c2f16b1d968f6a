import type { Answer, ApiClient } from './api-client.js';

export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid?: string; [member: string]: unknown };
  [member: string]: unknown;
}

/** Creates it. @throws with the answer where the API server refuses */
export async function create(client: ApiClient, path: string, body: ApiObject): Promise<ApiObject> {
  const answer = await client.send('POST', path, { body });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/**
 * Where objects of its kind are created, in its namespace.
 * @returns undefined where the API server does not serve that kind
 */
export async function collectionOf(client: ApiClient, { apiVersion, kind, metadata }: ApiObject): Promise<string | undefined> {
  if (typeof apiVersion !== 'string') return undefined;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { status, body } = await client.send('GET', base);
  if (status !== 200) return undefined;
  const resources: { kind: string; name: string; namespaced: boolean }[] = body.resources ?? [];
  const resource = resources.find(({ name, ...served }) => served.kind === kind && !name.includes('/'));
  return resource && `${base}/${resource.namespaced ? `namespaces/${metadata.namespace ?? 'default'}/` : ''}${resource.name}`;
}

/** What the API server says to an object, each field of which it should know, without creating it; 404 where it does not serve the kind. */
export async function tryStrictly(client: ApiClient, object: ApiObject): Promise<Answer> {
  const collection = (await collectionOf(client, object)) ?? `/apis/${object.apiVersion}`;
  return client.send('POST', `${collection}?dryRun=All&fieldValidation=Strict`, { body: object });
}
