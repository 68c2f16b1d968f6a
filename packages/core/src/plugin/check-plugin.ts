import type { AnyEndpoint } from '../endpoint/index.js';
import { BylawError } from '../errors.js';
import { CORE_MEMBERS } from '../evaluate/comparer.js';
import { CORE_TAGS } from '../http/core-tags.js';
import { nearest } from '../nearest.js';
import { FORMATS } from '../report/format-names.js';
import type { Plugin, Tool } from './plugin.js';

/**
 * Says whether a module's default export has the shape of the contract.
 * @throws {BylawError} `plugin-invalid`, naming the plugin and the first member that is wrong
 */
export function checkPlugin(value: unknown, packageName: string): Plugin {
  const wrong = (what: string) =>
    new BylawError('plugin-invalid', `The plugin ${packageName} does not follow the plugin contract: ${what}.`);
  if (!isPlainObject(value)) throw wrong('the default export of its module must be an object');
  for (const [member, content] of Object.entries(value)) {
    const form = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
    if (!form) {
      const near = nearest(member, Object.keys(MEMBERS));
      throw wrong(`it has the unknown member \`${member}\`${near ? ` (did you mean \`${near}\`?)` : ''}`);
    }
    if (content !== undefined && !form.holds(content)) throw wrong(`\`${member}\` must be ${form.what}`);
  }
  if (value.name === undefined) throw wrong('`name` is missing');
  // Every member has just been seen to have its form.
  return value as unknown as Plugin;
}

interface Form {
  what: string;
  holds: (value: unknown) => boolean;
}

const FUNCTION: Form = { what: 'a function', holds: (value) => typeof value === 'function' };

const FILE_URLS: Form = {
  what: 'a list of `file:` URLs',
  holds: (value) => isList(value, (url) => url instanceof URL && url.protocol === 'file:'),
};

const TOOLS = 'a list of tools with `name` (snake case), `description`, `inputSchema` of type object, and `handler`';

const ENDPOINTS =
  'a list of endpoints with `id`, `method` and `path`, and either `input` of type object, `output`, and `run` or `write` (a `path` below `/api/v1/`; if present, `thread` with `module`, and `tool` with `name` in snake case and `description`), or `auth`, `responses` and `respond`';

const MEMBERS: { readonly [member: string]: Form } = {
  name: {
    what: 'a name of lower-case letters, digits and hyphens',
    holds: (value) => typeof value === 'string' && /^[a-z][a-z0-9-]{0,62}$/.test(value),
  },
  rulePacks: FILE_URLS,
  readers: FILE_URLS,
  config: {
    what: 'an object of JSON Schemas with a `description` each',
    holds: (value) =>
      isPlainObject(value) && Object.values(value).every((schema) => isPlainObject(schema) && typeof schema.description === 'string'),
  },
  checkConfig: FUNCTION,
  settings: FUNCTION,
  serves: FUNCTION,
  endpoints: {
    what: `${ENDPOINTS}, or a function that returns one`,
    holds: (value) => typeof value === 'function' || areEndpoints(value),
  },
  tools: {
    what: `${TOOLS}, or a function that returns one`,
    holds: (value) => typeof value === 'function' || areTools(value),
  },
  renderers: FUNCTION,
  compare: {
    what: 'an object with `member` (snake case, and no member of core), `module` (a `file:` URL) and `view` (a function)',
    holds: isComparisonMember,
  },
  reporters: {
    what: `a list of formats with \`name\` (lower-case letters, digits and hyphens, and none of ${FORMATS.join(', ')}), \`mediaType\`, \`description\`, \`fileExtension\` and \`report\``,
    holds: (value) => isList(value, isReporter),
  },
  tags: {
    what: `an object of texts, without the tags of core (${Object.keys(CORE_TAGS).join(', ')})`,
    holds: (value) => isPlainObject(value) && Object.entries(value).every(([tag, text]) => isText(text) && !Object.hasOwn(CORE_TAGS, tag)),
  },
  start: FUNCTION,
};

/** @throws {BylawError} `plugin-invalid` */
export function checkEndpoints(value: unknown, packageName: string): readonly AnyEndpoint[] {
  // Every one has just been seen to have its form.
  if (areEndpoints(value)) return value as readonly AnyEndpoint[];
  throw new BylawError(
    'plugin-invalid',
    `The plugin ${packageName} does not follow the plugin contract: \`endpoints\` must return ${ENDPOINTS}.`,
  );
}

function areEndpoints(value: unknown): boolean {
  return isList(value, isEndpoint);
}

function isEndpoint(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    typeof value.id === 'string' &&
    typeof value.method === 'string' &&
    typeof value.path === 'string' &&
    (typeof value.respond === 'function' ? isResponding(value) : isAnswering(value))
  );
}

function isAnswering({ method, path, input, output, run, write, thread, tool }: { [member: string]: unknown }): boolean {
  return (
    (method === 'GET' || method === 'POST') &&
    String(path).startsWith('/api/v1/') &&
    isObjectSchema(input) &&
    isPlainObject(output) &&
    isPlainObject(output.schema) &&
    (typeof run === 'function' || typeof write === 'function') &&
    (thread === undefined || (isPlainObject(thread) && isText(thread.module))) &&
    (tool === undefined || isNamedTool(tool))
  );
}

function isResponding({ auth, responses }: { [member: string]: unknown }): boolean {
  return isPlainObject(auth) && typeof auth.guard === 'function' && isPlainObject(responses);
}

/** @throws {BylawError} `plugin-invalid` */
export function checkTools(value: unknown, packageName: string): readonly Tool[] {
  // Every one has just been seen to have its form.
  if (areTools(value)) return value as readonly Tool[];
  throw new BylawError('plugin-invalid', `The plugin ${packageName} does not follow the plugin contract: \`tools\` must return ${TOOLS}.`);
}

function areTools(value: unknown): boolean {
  return isList(value, isTool);
}

function isTool(value: unknown): boolean {
  return isNamedTool(value) && isObjectSchema(value.inputSchema) && typeof value.handler === 'function';
}

function isNamedTool(value: unknown): value is { [member: string]: unknown } {
  return isPlainObject(value) && isSnakeCase(value.name) && typeof value.description === 'string';
}

function isComparisonMember(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isSnakeCase(value.member) &&
    !CORE_MEMBERS.includes(value.member) &&
    value.module instanceof URL &&
    value.module.protocol === 'file:' &&
    typeof value.view === 'function' &&
    (value.rank === undefined || Number.isFinite(value.rank)) &&
    (value.increase === undefined || isText(value.increase)) &&
    (value.examples === undefined || isList(value.examples, isExample))
  );
}

function isExample(value: unknown): boolean {
  return isPlainObject(value) && isText(value.description) && isText(value.command);
}

function isReporter(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    isText(value.name) &&
    /^[a-z][a-z0-9-]{0,62}$/.test(value.name) &&
    !FORMATS.some((format) => format === value.name) &&
    isText(value.mediaType) &&
    isText(value.description) &&
    isText(value.fileExtension) &&
    typeof value.report === 'function'
  );
}

function isSnakeCase(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObjectSchema(value: unknown): boolean {
  return isPlainObject(value) && value.type === 'object';
}

function isList(value: unknown, each: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(each);
}

function isPlainObject(value: unknown): value is { [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
