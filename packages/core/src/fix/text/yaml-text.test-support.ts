import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';

/** Choices of a writer, taken in turn from a list of arbitrary numbers: the same list gives the same text. */
type Choose = (count: number) => number;

/** Mappings and lists of scalars, mappings and lists. No member is null: the readers drop those. */
export const anyObject: fc.Arbitrary<JsonObject> = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.boolean(),
    fc.integer({ min: -9, max: 9000 }),
    fc.constantFrom('a', 'nginx:1.2', 'yes', '', ' x', '- y', "it's", 'two\nlines', '{z}', '0777', '~', 'é#ü'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'name', 'securityContext', 'on', 'x/y', '1', 'é', 'c d'), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
})).object;

/** An object as somebody may have written it: block and flow, quotes, comments (`# c0`, `# c1`, …), blank lines, any indentation, any line break. */
export function writeYaml(object: JsonObject, choices: readonly number[]): string {
  let next = 0;
  const choose: Choose = (count) => (choices[next++ % choices.length] ?? 0) % count;
  const writer: Writer = {
    choose,
    step: 1 + choose(4),
    listStep: choose(2) === 0 ? 0 : 2,
    comments: 0,
    newline: choose(3) === 0 ? '\r\n' : '\n',
  };
  const start = choose(3) === 0 ? ['---', ...commentLine(writer, 0)] : [];
  const flow = Object.keys(object).length === 0 || choose(6) === 0;
  const lines = [...start, ...(flow ? flowLines(writer, object) : mapping(writer, object, 0))];
  const end = choose(4) === 0 ? '' : writer.newline;
  return lines.join(writer.newline) + end;
}

interface Writer {
  choose: Choose;
  step: number;
  listStep: number;
  comments: number;
  newline: string;
}

function mapping(writer: Writer, object: JsonObject, column: number): string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const head = `${' '.repeat(column)}${scalar(writer, key)}:`;
    return [...blankOrComment(writer, column), ...member(writer, head, value, column)];
  });
}

function member(writer: Writer, head: string, value: JsonValue, column: number): string[] {
  const { choose } = writer;
  if (isBelow(value) && choose(5) !== 0) {
    const indent = Array.isArray(value) ? column + writer.listStep : column + writer.step;
    const below = Array.isArray(value) ? list(writer, value, indent) : mapping(writer, value, indent);
    return [head + trailing(writer), ...below];
  }
  if (typeof value === 'string' && value.includes('\n') && choose(2) === 0)
    return [`${head} |-${trailing(writer)}`, ...value.split('\n').map((line) => ' '.repeat(column + 2) + line)];
  if (isBelow(value) && choose(2) === 0) {
    const [first = '', ...rest] = brokenFlow(writer, value, column + 1);
    return [`${head} ${first}`, ...rest];
  }
  return [`${head} ${flow(writer, value)}${trailing(writer)}`];
}

function list(writer: Writer, values: readonly JsonValue[], column: number): string[] {
  return values.flatMap((value) => {
    const dash = `${' '.repeat(column)}- `;
    const lead = blankOrComment(writer, column);
    if (!isBelow(value) || writer.choose(4) === 0) return [...lead, dash + flow(writer, value) + trailing(writer)];
    const lines = Array.isArray(value) ? list(writer, value, column + 2) : mapping(writer, value, column + 2);
    const first = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
    return [...lead, ...lines.slice(0, first), dash + (lines[first] ?? '').trimStart(), ...lines.slice(first + 1)];
  });
}

/** A mapping or list of which each part has its own line. */
function brokenFlow(writer: Writer, value: JsonObject | JsonValue[], column: number): string[] {
  const pad = ' '.repeat(column + 2);
  const parts = Array.isArray(value)
    ? value.map((item) => flow(writer, item))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flow(writer, item)}`);
  const last = writer.choose(2) === 0 ? ',' : '';
  const lines = parts.map((part, index) => `${pad}${part}${index < parts.length - 1 ? ',' : last}${trailing(writer)}`);
  return [Array.isArray(value) ? '[' : '{', ...lines, ' '.repeat(column) + (Array.isArray(value) ? ']' : '}')];
}

/** The whole document in braces: JSON, pretty or not, or YAML. */
function flowLines(writer: Writer, object: JsonObject): string[] {
  const form = writer.choose(3);
  if (form === 0) return [JSON.stringify(object)];
  if (form === 1) return JSON.stringify(object, null, [2, 4, '\t'][writer.choose(3)]).split('\n');
  return [flow(writer, object)];
}

function flow(writer: Writer, value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(writer, item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(writer, value);
  const members = Object.entries(value).map(([key, item]) => `${scalar(writer, key)}: ${flow(writer, item)}`);
  return members.length === 0 ? '{}' : writer.choose(2) === 0 ? `{${members.join(',')}}` : `{ ${members.join(', ')} }`;
}

function scalar({ choose }: Writer, value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const safe = /^[a-z][a-zA-Z/]*$/.test(value) && !['yes', 'on', 'a'].includes(value);
  if (safe && choose(2) === 0) return value;
  return !value.includes('\n') && choose(2) === 0 ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function isBelow(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function trailing(writer: Writer): string {
  return writer.choose(6) === 0 ? ` ${comment(writer)}` : '';
}

function blankOrComment(writer: Writer, column: number): string[] {
  const choice = writer.choose(12);
  return choice === 0 ? [''] : choice === 1 ? commentLine(writer, column) : [];
}

function commentLine(writer: Writer, column: number): string[] {
  return [' '.repeat(column) + comment(writer)];
}

function comment(writer: Writer): string {
  return `# c${writer.comments++}`;
}
