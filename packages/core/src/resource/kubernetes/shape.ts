import { isObject, type JsonObject, type JsonValue } from '../text/json.js';
import { MAX_MALFORMED } from '../text/limits.js';
import { formatPointer } from '../text/pointer.js';
import { type Shape, shapeOfKind } from './shape-types.js';

export type ReportMalformed = (pointer: string, message: string) => void;

/**
 * Takes every field whose value has the wrong type out of an object, and reports each: the API server would refuse the object, and a rule
 * that met a text where the API has a list could say nothing true about it. A list item of the wrong type becomes null, so that the items
 * after it keep their pointers. Of a kind that is not built in only the metadata is checked.
 */
export function dropMalformed(object: JsonObject & { apiVersion: string; kind: string }, report: ReportMalformed): void {
  const check: Check = { path: [], secret: object.kind === 'Secret', count: 0, report };
  checkFields(check, object, shapeOfKind(object.apiVersion, object.kind).fields);
  const more = check.count - MAX_MALFORMED;
  if (more > 0) report('', `${more} more ${more === 1 ? 'field has a value' : 'fields have values'} of the wrong type.`);
}

interface Check {
  /** Where the walk is. */
  path: (string | number)[];
  /** The values of a Secret are not shown. */
  secret: boolean;
  count: number;
  report: ReportMalformed;
}

function checkFields(check: Check, object: JsonObject, fields: ReadonlyMap<string, Shape>): void {
  for (const key in object) {
    const shape = fields.get(key);
    const value = object[key];
    if (shape !== undefined && value !== undefined) checkMember(check, object, key, value, shape);
  }
}

function checkMember(check: Check, object: JsonObject, key: string, value: JsonValue, shape: Shape): void {
  check.path.push(key);
  if (!fits(check, value, shape)) {
    reportMalformed(check, value, shape);
    delete object[key];
  }
  check.path.pop();
}

/** Whether a value itself has the type; on the way, what is below it is checked, and malformed parts are dropped. */
function fits(check: Check, value: JsonValue, shape: Shape): boolean {
  switch (shape.type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'quantity':
      return typeof value === 'string' || typeof value === 'number';
    case 'integer-or-string':
      return typeof value === 'string' || Number.isInteger(value);
    case 'anything':
      return true;
    case 'object':
      if (!isObject(value)) return false;
      checkFields(check, value, shape.fields);
      return true;
    case 'map':
      if (!isObject(value)) return false;
      checkEntries(check, value, shape.item);
      return true;
    case 'list':
      if (!Array.isArray(value)) return false;
      checkItems(check, value, shape.item);
      return true;
  }
}

function checkEntries(check: Check, map: JsonObject, shape: Shape): void {
  for (const key in map) {
    const value = map[key];
    if (value !== undefined) checkMember(check, map, key, value, shape);
  }
}

function checkItems(check: Check, items: JsonValue[], shape: Shape): void {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === null || item === undefined) continue;
    check.path.push(index);
    if (!fits(check, item, shape)) {
      reportMalformed(check, item, shape);
      items[index] = null;
    }
    check.path.pop();
  }
}

function reportMalformed(check: Check, value: JsonValue, shape: Shape): void {
  if (++check.count > MAX_MALFORMED) return;
  const pointer = formatPointer(check.path);
  check.report(pointer, `${pointer} must be ${EXPECTED[shape.type]}, but is ${describe(value, check.secret)}. ${mend(value, shape)}`);
}

const EXPECTED: Readonly<Record<Shape['type'], string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  quantity: 'a quantity',
  'integer-or-string': 'an integer or a string',
  anything: 'present',
  object: 'a mapping',
  map: 'a mapping',
  list: 'a list',
};

function describe(value: JsonValue, secret: boolean): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a mapping';
  if (typeof value === 'number') return secret ? 'a number' : `the number ${value}`;
  if (typeof value === 'boolean') return secret ? 'a boolean' : `the boolean ${value}`;
  return secret || value === null || value.length > 40 ? 'a string' : `the string ${JSON.stringify(value)}`;
}

function mend(value: JsonValue, { type }: Shape): string {
  const scalar = typeof value !== 'object';
  if (type === 'list') return 'Write a list, with each item after a dash.';
  if (type === 'object' || type === 'map') return Array.isArray(value) ? 'Remove the dashes.' : 'Write "key: value" pairs below it.';
  if (!scalar) return 'Write a single value.';
  if (type === 'string' || type === 'quantity' || type === 'integer-or-string') {
    return type === 'string' || typeof value === 'boolean' ? 'Quote the value.' : 'Write a whole number.';
  }
  const unquoted = typeof value === 'string' && (type === 'boolean' ? /^(?:true|false)$/ : /^-?\d+$/).test(value);
  if (unquoted) return 'Remove the quotes.';
  return type === 'boolean' ? 'Write true or false.' : 'Write a whole number without quotes.';
}
