import { requestCheck } from '@bylaw/core/http';
import { briefSchema } from './brief-schema.js';
import type { OfferedTool } from './offered-tool.js';

/** Entries of each list that an agent gets unless it asks for more. */
const DEFAULT_LIMIT = 20;

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

/** What every tool takes in addition to its own arguments, unless it has an argument of this name. */
const PAGING = {
  compact: { type: 'boolean', default: true },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: DEFAULT_LIMIT },
  offset: { type: 'integer', minimum: 0, maximum: 100_000 },
  include: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 100 } },
} as const;

/** What a client tells its model about the arguments of all tools. */
export const PAGING_INSTRUCTIONS = `Every tool answers in short (\`compact\`): counts, and of each long list the ${DEFAULT_LIMIT} worst or first entries; \`truncated\` says how many there are. \`limit\` and \`offset\` page through the lists, \`include\` names members to return in full, and \`compact: false\` returns the whole answer.`;

/** Arguments for programs that send what they have read themselves; agents have no use for them. */
const FOR_PROGRAMS = ['input_errors', 'input_notes', 'baseline', 'packs'];

/** Of the arguments, those that say how much of the answer to return. They have passed the schema. */
interface Paging {
  compact?: boolean;
  limit?: number;
  offset?: number;
  include?: readonly string[];
}

/**
 * A tool as agents get it: its arguments described in brief, and its answer short. A conversation has room for counts and for the worst that was
 * found, not for thousands of entries. With `compact: false` the answer is that of the REST twin, byte for byte.
 */
export function compactTool(tool: OfferedTool): OfferedTool {
  const own = membersOf(tool.inputSchema);
  const pages = 'limit' in own && 'offset' in own;
  const whole = { ...tool.inputSchema, properties: { ...PAGING, ...own } };
  return {
    ...tool,
    inputSchema: briefSchema({ ...whole, properties: { ...whole.properties, ...(!pages && { limit: PAGING.limit }) } }, FOR_PROGRAMS),
    check: requestCheck(whole),
    async answer(args, signal) {
      const { compact = true, include = [], ...rest } = args as Paging & typeof args;
      const { limit = DEFAULT_LIMIT, offset = 0, ...others } = rest;
      // Arguments of its own names are the tool's.
      const given = Object.fromEntries(Object.entries(rest).filter(([name]) => name in own || !(name in PAGING)));
      if (!compact) return tool.answer(given, signal);
      if (pages) return tool.answer({ ...given, limit, offset }, signal);
      const most = limit === 0 ? Number.POSITIVE_INFINITY : limit; // as servers understand it
      const text = await tool.answer({ ...others, ...('limit' in own && { limit: limit === 0 ? 0 : limit + offset }) }, signal);
      return shortened(text, { limit: most, offset, include });
    },
  };
}

function membersOf({ properties }: OfferedTool['inputSchema']): { readonly [name: string]: unknown } {
  return typeof properties === 'object' && properties !== null ? (properties as { [name: string]: unknown }) : {}; // a JSON Schema
}

/** The same text if every list is short. Else `truncated` says how much of each list is there, as in answers of the server. */
function shortened(text: string, { limit, offset, include }: Required<Omit<Paging, 'compact'>>): string {
  const answer = JSON.parse(text) as { [member: string]: unknown }; // every answer is an object
  const truncated: { [place: string]: unknown } = { ...(answer.truncated as object | undefined) };
  let isShort = true;
  const cut = (list: readonly unknown[], place: string, skip: number, most: number): readonly unknown[] => {
    if (list.length <= most && skip === 0 && !(place in truncated)) return list;
    isShort = false;
    const shown = worstFirst(list).slice(skip, skip + most);
    const known = truncated[place] as { total?: number } | undefined; // as the server says it
    truncated[place] = { shown: shown.length, total: known?.total ?? list.length };
    return shown;
  };
  /** Only the lists of the answer itself can be paged through; those within them are cut where they are long. */
  const short = (value: unknown, place: string, skip = 0, most = Math.max(limit, DEFAULT_LIMIT)): unknown => {
    if (Array.isArray(value)) return cut(value, place, skip, most).map((entry, index) => short(entry, `${place}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, short(member, `${place}/${name}`)]));
  };
  const shortAnswer = Object.fromEntries(
    Object.entries(answer).map(([member, value]) => [member, include.includes(member) ? value : short(value, member, offset, limit)]),
  );
  return isShort ? text : `${JSON.stringify({ ...shortAnswer, truncated })}\n`;
}

/** Entries without a severity stay in their order. */
function worstFirst(entries: readonly unknown[]): readonly unknown[] {
  const ranks = new Map(entries.map((entry) => [entry, SEVERITIES.indexOf(severityOf(entry))]));
  if ([...ranks.values()].includes(-1)) return entries;
  return entries.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function severityOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'severity' in entry ? String(entry.severity).toUpperCase() : '';
}
