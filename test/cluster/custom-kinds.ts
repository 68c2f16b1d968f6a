import { resourcesOf } from '../../packages/plugin-k8s/src/scan/resource-names.js';
import type { ApiClient } from './api-client.js';
import { type ApiObject, collectionOf, create } from './objects.js';

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const GROUP_VERSION = /^([^/]+\.[^/]+)\/([^/]+)$/;

/**
 * Has the API server serve the kinds of these objects that it does not know. Kinds of its own groups, and kinds that are not objects of an API, stay
 * unknown.
 * @param schemaOf what the objects of a kind must be like; absent: whatever
 */
export async function serveCustomKinds(
  admin: ApiClient,
  objects: readonly ApiObject[],
  schemaOf: (object: ApiObject) => object = () => ANYTHING,
): Promise<void> {
  const unknown = new Map<string, ApiObject>();
  for (const object of objects) {
    const [, group = ''] = GROUP_VERSION.exec(object.apiVersion) ?? [];
    if (group !== '' && !/(^|\.)k8s\.io$/.test(group)) unknown.set(`${object.kind}.${group}`, object);
  }
  for (const { apiVersion, kind } of unknown.values()) {
    const [, group = ''] = GROUP_VERSION.exec(apiVersion) ?? [];
    const sameKind = objects.filter((object) => object.kind === kind && object.apiVersion.startsWith(`${group}/`));
    await create(admin, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(group, kind, sameKind, schemaOf));
  }
  for (const object of unknown.values()) {
    while (!(await isServed(admin, object))) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function definition(group: string, kind: string, objects: readonly ApiObject[], schemaOf: (object: ApiObject) => object): ApiObject {
  const plural = resourcesOf(`${group}/${kind}`)[0]?.resource ?? `${kind.toLowerCase()}s`;
  const versions = new Map(objects.map((object) => [object.apiVersion.slice(group.length + 1), { openAPIV3Schema: schemaOf(object) }]));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced',
      versions: [...versions].map(([name, schema], index) => ({ name, served: true, storage: index === 0, schema })),
    },
  };
}

async function isServed(admin: ApiClient, object: ApiObject): Promise<boolean> {
  const collection = await collectionOf(admin, object);
  return collection !== undefined && (await admin.send('GET', collection)).status === 200;
}
