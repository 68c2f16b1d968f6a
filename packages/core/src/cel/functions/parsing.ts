import { EVENT_ID, type Event, parseEvents } from 'js-yaml';
import { compose } from '../../resource/yaml/compose.js';
import { spendOnNewText, spendOnReading } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { celValue, textOrEmpty } from '../standard/values.js';

/** Texts inside a document that are documents themselves. None throws; null says that a text is not valid or too large. */
export const parsing: readonly CelFunction[] = [
  {
    signature: 'parseJson(dyn): dyn',
    summary: 'The value of a JSON string; null if the string is not valid, larger than 1 MiB or nested more than 100 levels deep.',
    example: 'parseJson("{\\"a\\": [1]}").a[0] == 1 && parseJson("{") == null',
    call: (text: unknown) => parseJson(textOrEmpty(text)),
  },
  {
    signature: 'parseYaml(dyn): dyn',
    summary: 'The value of the first document of a YAML string, as Kubernetes reads it, or null (see parseJson).',
    example: 'parseYaml("a: yes").a == true && parseYaml("a: [") == null',
    call: (text: unknown) => parseYaml(textOrEmpty(text))[0] ?? null,
  },
  {
    signature: 'parseYamlDocuments(dyn): list<dyn>',
    summary: 'The values of all documents of a YAML string; an empty list if the string is not valid (see parseJson).',
    example: 'parseYamlDocuments("a: 1\\n---\\nb: 2").size() == 2 && parseYamlDocuments("a: [") == []',
    call: (text: unknown) => parseYaml(textOrEmpty(text)),
  },
  {
    signature: 'base64Decode(dyn): dyn',
    summary: 'The decoded string (bytes that are not UTF-8 become U+FFFD); null if the value is not base64 or is larger than 2 MiB.',
    example: 'base64Decode("aGVsbG8=") == "hello" && base64Decode("%") == null',
    call: (text: unknown) => base64Decode(text),
  },
];

const MAX_LENGTH = 1024 * 1024;
const MAX_DEPTH = 100;

/** Values after aliases are expanded: a small text may not become a large value. */
const MAX_NODES = 100_000;
const MAX_BASE64_LENGTH = 2 * 1024 * 1024;

function parseJson(text: string): unknown {
  if (text.length > MAX_LENGTH) return null;
  spendOnReading(text.length);
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_DEPTH) ? null : celValue(value);
  } catch {
    return null;
  }
}

function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((item) => isDeeper(item, limit - 1));
}

function parseYaml(text: string): unknown[] {
  if (text.length > MAX_LENGTH) return [];
  spendOnReading(text.length);
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    if (expandedSize(events, text) > MAX_NODES) return [];
    return compose(events, text).map(({ value, hasConstructor }) => (hasConstructor ? celValue(value) : value));
  } catch {
    return [];
  }
}

/** The nodes of a YAML text with every alias counted as what it stands for. */
function expandedSize(events: readonly Event[], text: string): number {
  const sizes = new Map<string, number>();
  const open: { anchor: string; before: number }[] = [];
  let size = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const node = open.pop();
      if (node !== undefined && node.anchor !== '') sizes.set(node.anchor, size - node.before);
      continue;
    }
    if (event.type === EVENT_ID.ALIAS) size += sizes.get(text.slice(event.anchorStart, event.anchorEnd)) ?? 1;
    else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const anchor = event.anchorStart < 0 ? '' : text.slice(event.anchorStart, event.anchorEnd);
      open.push({ anchor, before: size });
      size += 1;
    } else if (event.type === EVENT_ID.DOCUMENT) open.push({ anchor: '', before: size });
    else size += 1;
    if (size > MAX_NODES) return size;
  }
  return size;
}

function base64Decode(value: unknown): string | null {
  const text = textOrEmpty(value);
  if (text.length > MAX_BASE64_LENGTH) return null;
  spendOnNewText(text.length);
  const compact = text.replace(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) return null;
  return Buffer.from(compact, 'base64').toString('utf8');
}
