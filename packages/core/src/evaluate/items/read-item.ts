import { type Extraction, isObject, type JsonObject, type JsonValue, readDocument, readObject, resourceOf } from '../../resource/index.js';
import type { Item } from './batches.js';

/** What items hold, as long as someone keeps the items: a run over a small input looks at each of them twice. */
const known = new WeakMap<Item, Extraction>();

/** What an item of an input holds. Never throws for its content. */
export function readItem(item: Item): Extraction {
  const extraction = known.get(item) ?? extracted(item);
  known.set(item, extraction);
  return extraction;
}

function extracted(item: Item): Extraction {
  switch (item.type) {
    case 'error':
      return { resources: [], errors: [item.error], skipped: [] };
    case 'value':
      return readValue(item);
    case 'resource':
      return { resources: [resourceOf(item.resource)], errors: [], skipped: [] };
    case 'text':
      return readDocument(item.document, { explicit: item.explicit });
  }
}

/** An object that came already parsed has no place in a text: its errors name the object instead. */
function readValue({ value, file, index, live }: Extract<Item, { type: 'value' }>): Extraction {
  const { resources, errors, skipped } = readObject(value, { file, document: index, served: live });
  const name = () => objectName(value) || (live ? 'An object' : `Object ${index + 1}`);
  return {
    resources: live ? resources.map((resource) => ({ ...resource, live })) : resources,
    errors: errors.map(({ code, message }) => ({ code, message: `${name()}: ${message}`, location: null })),
    skipped,
  };
}

/** `Pod shop/web`; empty for an object without kind and name. */
function objectName(value: unknown): string {
  const object: JsonObject = isObject(value) ? value : {};
  const { namespace, name }: JsonObject = isObject(object['metadata']) ? object['metadata'] : {};
  return [object['kind'], [namespace, name].filter(isText).join('/')].filter(isText).join(' ');
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
