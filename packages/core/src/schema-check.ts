import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { BylawError, type CoreErrorCode, type ErrorKind } from './errors.js';
import { lengthBreach } from './length-breach.js';
import { nearest } from './nearest.js';
import type { YamlFile } from './yaml-file.js';

/** One breach of a JSON Schema, in words, with the path of the value that breaks it. */
export interface SchemaBreach {
  path: string[];
  message: string;
}

/** A compiled JSON Schema (draft 7) that explains itself. */
export type SchemaCheck = (value: unknown) => SchemaBreach[];

/** Compiles a schema. Its member `messages`, beside a keyword, gives the words for a breach of it: `{ minimum: 0, messages: { minimum: 'must be 0 (off) or more' } }`. */
export function schemaCheck(schema: object): SchemaCheck {
  const { Ajv, formats } = validator();
  const ajv = new Ajv({ allErrors: true, strict: false, strictNumbers: true, verbose: true });
  formats.default(ajv);
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) => (validate(value) ? [] : explain(validate.errors ?? []));
}

const require = createRequire(import.meta.url);

/** The library is large, and most starts of the command line have nothing to check: it is loaded when it is first used. */
function validator() {
  // A required module has the type of the imported one.
  const { Ajv } = require('ajv') as typeof import('ajv');
  const formats = require('ajv-formats') as typeof import('ajv-formats');
  return { Ajv, formats };
}

/** The breaches of a file as errors that name file, line and column. */
export function schemaErrors(file: YamlFile, breaches: readonly SchemaBreach[], code: CoreErrorCode | ErrorKind): BylawError[] {
  return breaches.map((breach) => new BylawError(code, breach.message, { location: file.locate(breach.path) }));
}

function explain(errors: readonly ErrorObject[]): SchemaBreach[] {
  const breaches = new Map<string, SchemaBreach>();
  for (const error of mostSpecific(errors)) {
    const breach = { path: pathOf(error), message: sentence(error) };
    breaches.set(`${breach.path.join('/')} ${breach.message}`, breach);
  }
  return [...breaches.values()];
}

/** The branches of oneOf and anyOf each complain; only the combination itself, or the deepest complaint, helps its reader. */
function mostSpecific(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const plain = errors.filter((error) => !['oneOf', 'anyOf', 'if'].includes(error.keyword) && !/\/(oneOf|anyOf)\//.test(error.schemaPath));
  return plain.length > 0 ? plain : errors.filter((error) => ['oneOf', 'anyOf'].includes(error.keyword));
}

function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  return path;
}

function sentence(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'The file' : `\`${error.instancePath.slice(1).replaceAll('/', '.')}\``;
  const own = (error.parentSchema?.['messages'] as { [keyword: string]: string } | undefined)?.[error.keyword];
  if (own !== undefined) return `${where} ${own}.`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params['additionalProperty']);
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {});
      const near = nearest(name, known);
      const within = error.instancePath === '' ? '' : ` in ${where}`;
      return `Unknown field \`${name}\`${within}${near ? `; did you mean \`${near}\`?` : `. Known fields: ${known.join(', ')}.`}`;
    }
    case 'required':
      return `${where} must have the field \`${String(error.params['missingProperty'])}\`.`;
    case 'enum': {
      const allowed = (error.params['allowedValues'] as unknown[]).map(String);
      const near = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
      return `${where} must be one of ${allowed.join(', ')}${near ? `; did you mean ${near}?` : '.'}`;
    }
    case 'const':
      return `${where} must be ${String(error.params['allowedValue'])}.`;
    case 'pattern':
      return `${where} must match the pattern ${String(error.params['pattern'])}.`;
    case 'oneOf':
    case 'anyOf':
      return `${where} must have one of these forms: ${forms(error.schema)}.`;
    default:
      return `${where} ${lengthBreach(error) ?? error.message ?? 'is not valid'}.`;
  }
}

function forms(schema: unknown): string {
  if (!Array.isArray(schema)) return 'see the reference documentation';
  return schema
    .map((form: { required?: string[]; type?: string }) =>
      form.required
        ? `with ${form.required.map((name) => `\`${name}\``).join(' and ')}`
        : (form.type ?? 'a value from the reference documentation'),
    )
    .join(', or ');
}
