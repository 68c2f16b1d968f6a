import { isObject, type Resource } from '../../resource/index.js';
import { MAKERS, PROVIDER_CLASS } from '../makers.js';
import { itemsAt, type NameReference, textAt } from './reference.js';

/** The Secrets or ConfigMaps that an operator makes of a resource. @param kind of the resource, as rules name it */
export function makerReferences(kind: string, { object, name }: Resource): NameReference[] {
  if (kind === PROVIDER_CLASS)
    return itemsAt(object, '', 'spec', 'secretObjects').flatMap(([item, path]) => {
      const secret = textAt(item, 'secretName');
      return secret === undefined ? [] : [made('Secret', secret, `${path}/secretName`)];
    });
  const maker = MAKERS.get(kind);
  if (maker === undefined) return [];
  const written = maker.names.find((steps) => textAt(object, ...steps) !== undefined);
  const target = written === undefined ? name : textAt(object, ...written);
  if (target === undefined || target === '') return [];
  return [made(maker.makes, target, written === undefined ? '/metadata/name' : `/${written.join('/')}`)];
}

function made(kind: string, name: string, path: string): NameReference {
  return { type: 'name', edge: 'makes', kind, name, path };
}

/** The controllers that have made an object, as its ownerReferences say: the edge runs from the owner to the object. */
export function ownersOf({ object }: Resource): { apiVersion: string; kind: string; name: string; path: string }[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return itemsAt(metadata, '/metadata', 'ownerReferences').flatMap(([owner, path]) => {
    const [apiVersion, kind, name] = [textAt(owner, 'apiVersion'), textAt(owner, 'kind'), textAt(owner, 'name')];
    return apiVersion === undefined || kind === undefined || name === undefined ? [] : [{ apiVersion, kind, name, path }];
  });
}
