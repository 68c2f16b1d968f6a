import { type Resource, unescapeToken } from '../../resource/index.js';
import type { JsonValue } from '../../resource/text/json.js';
import type { Finding } from './finding.js';

/**
 * The identity of a finding from one version of an input to the next: rule, object and place, with named list items instead of
 * indexes. It does not depend on the file, the line, the API version or the message.
 */
export function findingKey(finding: Finding, resource: Pick<Resource, 'object'>): string {
  const { kind, namespace, name } = finding.resource;
  return JSON.stringify([finding.rule_id, kind, namespace, name, stablePath(resource.object, finding.path)]);
}

/**
 * A JSON Pointer with list indexes replaced by the name of the item, where it has one: `/containers/0/image` becomes
 * `/containers/[app]/image`. Inserting another item does not change it, so it tells the same finding in another version.
 */
export function stablePath(object: JsonValue, pointer: string): string {
  if (pointer === '') return '';
  let value: JsonValue | undefined = object;
  let path = '';
  for (const step of pointer.slice(1).split('/')) {
    const key = unescapeToken(step);
    const isList: boolean = Array.isArray(value);
    value = child(value, key);
    const name = isList ? nameOf(value) : undefined;
    path += name === undefined ? `/${step}` : `/[${name}]`;
  }
  return path;
}

function child(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  if (value !== null && typeof value === 'object' && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

function nameOf(item: JsonValue | undefined): string | undefined {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return undefined;
  return Object.hasOwn(item, 'name') && typeof item['name'] === 'string' ? item['name'] : undefined;
}
