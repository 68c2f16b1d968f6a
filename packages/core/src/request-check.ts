import { Ajv, type ErrorObject } from 'ajv';
import { lengthBreach } from './length-breach.js';

/** One thing that is wrong with a request. `path` is a JSON Pointer made of names of the schema and list positions; `*` stands for a name that the caller made up. */
export interface RequestBreach {
  path: string;
  message: string;
}

/** Checks a value that came over the network, and says what is wrong without quoting any of it. At most 20 breaches. */
export type RequestCheck = (value: unknown) => RequestBreach[];

const MAX_BREACHES = 20;

/**
 * Compiles a JSON Schema for untrusted values. It stops at the first breach, so that a hostile value cannot make it collect
 * a million; what it says holds no piece of the value, not even a member's name, for that may be a secret in the wrong place.
 */
export function requestCheck(schema: object): RequestCheck {
  ajv ??= new Ajv({ allErrors: false, strict: false, strictNumbers: true, verbose: true }).addFormat('date', isDay);
  const validate = ajv.compile(schema);
  const names = new Set<string>();
  collectNames(schema, names);
  return (value) => (validate(value) ? [] : explain(validate.errors ?? [], names, value));
}

/** One for all schemas: making one costs more than compiling a schema with it. */
let ajv: Ajv | undefined;

/** `full-date` of RFC 3339, as JSON Schema means it: 30 February is not one. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function explain(errors: readonly ErrorObject[], names: ReadonlySet<string>, value: unknown): RequestBreach[] {
  const breaches = new Map<string, RequestBreach>();
  // What the branches of a combination complain of only hides which ones there are.
  const combination = errors.find((error) => (error.keyword === 'oneOf' || error.keyword === 'anyOf') && membersOf(error) !== undefined);
  for (const error of combination ? [combination] : errors) {
    const breach = { path: ownPath(error.instancePath, names, value), message: sentence(error) };
    breaches.set(`${breach.path} ${breach.message}`, breach);
  }
  return [...breaches.values()].slice(0, MAX_BREACHES);
}

/** A number is shown where it is a position in a list: as the name of a member it was the caller's choice, and may be a code. */
function ownPath(instancePath: string, names: ReadonlySet<string>, value: unknown): string {
  let [path, at] = ['', value];
  for (const step of instancePath.split('/').slice(1)) {
    path += `/${Array.isArray(at) || names.has(step) ? step : '*'}`;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as { [name: string]: unknown })[name] : undefined; // any member of an object
  }
  return path;
}

/** Only parameters that come from the schema are named; `additionalProperty` and `propertyName` come from the value. */
function sentence(error: ErrorObject): string {
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'has a member that is not allowed';
    case 'required':
      return `must have the member ${String(error.params.missingProperty)}`;
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).map(String).join(', ')}`; // ajv defines it as a list
    case 'propertyNames':
      return 'has a member with an invalid name';
    case 'uniqueItems':
      return 'must not contain the same item twice';
    case 'format':
      return error.params.format === 'date' ? 'must be a valid date, such as 2026-12-31' : 'has an invalid format';
    case 'oneOf':
      return `must have exactly one of ${formsOf(error)}`;
    case 'anyOf':
      return `must have one of ${formsOf(error)}`;
    case 'not':
    case 'if':
      return 'is not valid';
    default:
      return lengthBreach(error) ?? error.message ?? 'is not valid';
  }
}

function formsOf(error: ErrorObject): string {
  return membersOf(error)?.join(', ') ?? 'the allowed forms';
}

/** The members that tell the forms of a combination apart, as the schema names them; undefined where other things do. */
function membersOf(error: ErrorObject): string[] | undefined {
  const forms: readonly { required?: readonly string[] }[] = Array.isArray(error.schema) ? error.schema : [];
  const members = forms.flatMap((form) => form.required?.join(' and ') ?? []);
  return members.length > 0 && members.length === forms.length ? members : undefined;
}

function collectNames(schema: unknown, names: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && typeof value === 'object' && value !== null) for (const name of Object.keys(value)) names.add(name);
    if (keyword !== 'const' && keyword !== 'enum' && keyword !== 'default' && keyword !== 'examples') collectNames(value, names);
  }
}
