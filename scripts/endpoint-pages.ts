/** What the documentation says of endpoints and tools, made from the objects that define them. */

import type { AnyEndpoint, Endpoint } from '@bylaw/core/endpoint';
import type { Route } from '@bylaw/core/http';
import { endpointsOf, type Plugin, toolsOf } from '@bylaw/core/plugin';
import { firstSentence } from '../packages/cli/dist/mcp/brief-schema.js';
import { oneLine, table } from './markdown.ts';

/** Endpoints and tools of one part of the product. */
export interface Part {
  /** Absent: the command line itself. */
  plugin?: string;
  endpoints: readonly AnyEndpoint[];
  /** Those without an endpoint. */
  tools: readonly NamedTool[];
}

interface NamedTool {
  name: string;
  description: string;
  inputSchema: Schema;
}

interface Schema {
  type?: unknown;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: { readonly [name: string]: Schema };
  required?: readonly string[];
}

export async function partOf(plugin: Plugin): Promise<Part> {
  const installed = { plugin, packageName: plugin.name };
  return { plugin: plugin.name, endpoints: await endpointsOf(installed), tools: await toolsOf(installed) };
}

const heading = ({ method, path }: Pick<Route, 'method' | 'path'>) => `\`${method} ${path}\``;

/** Every route, with a link to its section in the reference. @param others routes of the server itself */
export function routeTable(parts: readonly Part[], others: readonly Pick<Route, 'method' | 'path' | 'summary'>[]): string {
  const rows = parts.flatMap(({ plugin, endpoints }) =>
    endpoints.map((endpoint) => [
      `[${heading(endpoint)}](reference/endpoints.md#${endpoint.id.toLowerCase()})`,
      endpoint.summary,
      plugin ?? '',
    ]),
  );
  return table(['route', 'what it does', 'plugin'], [...rows, ...others.map((route) => [heading(route), route.summary, ''])]);
}

/** Every tool, with its arguments and the route that gives the same answer. */
export function toolTable(parts: readonly Part[]): string {
  const rows = parts.flatMap(({ plugin, endpoints, tools }) => [
    ...endpoints.flatMap((endpoint) => ('respond' in endpoint || !endpoint.tool ? [] : [toolRow(endpoint, endpoint.tool, plugin)])),
    ...tools.map(({ name, description, inputSchema }) => [
      `\`${name}\``,
      argumentsText(inputSchema),
      firstSentence(description),
      plugin ?? '',
    ]),
  ]);
  return table(['tool', 'arguments', 'answer', 'plugin'], rows);
}

function toolRow(endpoint: Endpoint, tool: NonNullable<Endpoint['tool']>, plugin: string | undefined): string[] {
  const schema = tool.arguments?.schema ?? endpoint.input;
  const link = `same as [${heading(endpoint)}](reference/endpoints.md#${endpoint.id.toLowerCase()})`;
  return [`\`${tool.name}\``, argumentsText(schema), link, plugin ?? ''];
}

/** Those that must be given first. */
function argumentsText({ properties = {}, required = [] }: Schema): string {
  const optional = Object.keys(properties).filter((name) => !required.includes(name) && !FOR_PROGRAMS.includes(name));
  return [...required.map((name) => `**\`${name}\`**`), ...optional.map((name) => `\`${name}\``)].join(', ');
}

/** Members for programs that send what they have read themselves. */
const FOR_PROGRAMS = ['input_errors', 'input_notes'];

/** One section for each endpoint. */
export function endpointSections(parts: readonly Part[]): string[] {
  return parts.flatMap(({ plugin, endpoints }) => endpoints.flatMap((endpoint) => section(endpoint, plugin)));
}

function section(endpoint: AnyEndpoint, plugin: string | undefined): string[] {
  const { id, summary, description } = endpoint;
  return [
    `<a id="${id.toLowerCase()}"></a>\n\n## ${endpoint.method} ${endpoint.path}`,
    `${summary}${description === undefined ? '' : ` ${description}`}${plugin === undefined ? '' : ` From the plugin \`${plugin}\`.`}`,
    ...('respond' in endpoint ? respondingText(endpoint) : answeringText(endpoint)),
    problemsText(endpoint),
  ].filter((text) => text !== '');
}

function answeringText(endpoint: Endpoint): string[] {
  const { method, input, output, examples = [], tool, formats = {} } = endpoint;
  const types = Object.keys(formats);
  return [
    membersTable(input),
    `**Answer.** ${output.description}${types.length === 0 ? '' : ` Also as ${types.map((type) => `\`${type}\``).join(', ')}, for clients that accept it.`}`,
    ...examples.map(
      (example) =>
        `${example.summary}:\n\n\`\`\`sh\n${method === 'GET' ? getCommand(endpoint, example.input) : postCommand(endpoint, example.input)}\n\`\`\``,
    ),
    tool ? `**Tool.** \`${tool.name}\`: ${tool.description}` : '',
  ];
}

function respondingText({ auth, params, query, body, responses }: Extract<AnyEndpoint, { respond: unknown }>): string[] {
  const members = { ...params, ...query, ...(body as Schema | undefined)?.properties };
  const required = [...Object.keys(params ?? {}), ...((body as Schema | undefined)?.required ?? [])];
  return [
    membersTable({ properties: members as { readonly [name: string]: Schema }, required }),
    `**Answer.** ${Object.entries(responses)
      .map(([status, { description }]) => `${status}: ${description}`)
      .join(' ')}`,
    `**Authentication.** ${auth.summary}`,
  ];
}

const ORIGIN = 'http://127.0.0.1:8000';

function getCommand({ path }: Endpoint, input: object): string {
  const named = new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name as keyof typeof input]))); // an example has them
  const query = new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) => (named.has(name) ? [] : [value].flat().map((one) => [name, String(one)]))),
  ).toString();
  return `curl -s '${ORIGIN}${filled}${query === '' ? '' : `?${query}`}'`;
}

function postCommand({ path }: Endpoint, input: object): string {
  const body = JSON.stringify(input, null, 2)
    .replaceAll(/\[[-\d.,\s]+\]/g, (numbers) => numbers.replaceAll(/\s+/g, ' '))
    .replaceAll("'", "'\\''");
  return `curl -s -H 'Content-Type: application/json' ${ORIGIN}${path} --data '${body}'`;
}

function membersTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? ' (required)' : ''}`,
    typeText(schema),
    [oneLine(schema.description ?? ''), schema.default === undefined ? '' : `Default: \`${JSON.stringify(schema.default)}\`.`]
      .filter((text) => text !== '')
      .join(' '),
  ]);
  return rows.length === 0 ? '' : table(['member', 'type', 'meaning'], rows);
}

function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.items) return `list of ${typeText(schema.items)}`;
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
}

/** Those of the endpoint itself, not those that every route can answer. */
function problemsText(endpoint: AnyEndpoint): string {
  const kinds =
    'respond' in endpoint
      ? [...(endpoint.problems ?? []), ...(endpoint.auth.problems ?? [])]
      : (endpoint.problems ?? []).map(({ problem }) => problem);
  const codes = new Set(
    kinds.map((kind) => (typeof kind === 'string' ? kind : (kind.code ?? kind.slug ?? ''))).filter((code) => code !== ''),
  );
  return codes.size === 0
    ? ''
    : `**Problems.** ${[...codes].map((code) => `[\`${code}\`](problems.md#${code.toLowerCase()})`).join(', ')}.`;
}

/** A page with what is between the marks `<!-- NAME: generated … -->` and `<!-- NAME: end -->` replaced. @throws {Error} for a page without them */
export function withGenerated(page: string, name: string, text: string): string {
  const marks = new RegExp(`(<!-- ${name}: generated[^>]*-->\\n)[^]*?(\\n<!-- ${name}: end -->)`);
  if (!marks.test(page)) throw new Error(`a page has no place for the generated ${name}`);
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${text}\n${end}`);
}
