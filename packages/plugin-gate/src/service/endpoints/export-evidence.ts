import type { HttpRequest, HttpResponse, QueryValue } from '@bylaw/core/http';
import {
  type ChainHead,
  exportCsv,
  exportJsonl,
  exportOscal,
  oscalSettings,
  RECORD_TYPES,
  type RecordType,
  reignsOf,
  surveyRange,
} from '../../evidence/index.js';
import type { Gate } from '../gate/gate.js';
import { gateProblem } from '../http/problems.js';
import { orUnavailable } from '../http/unavailable.js';

/** Records of one answer; larger ranges are split with `from` and `to`. */
export const MAX_RECORDS = 50_000;

export const EXPORT_MEDIA_TYPES = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  oscal: 'application/json',
} as const;

type Format = keyof typeof EXPORT_MEDIA_TYPES;

/** What was asked for, cut to what there is. */
interface Wanted {
  format: Format;
  /** Undefined: all. */
  types: readonly RecordType[] | undefined;
  from: number;
  to: number;
  /** Undefined: nothing was cut off. */
  nextFrom: number | undefined;
  /** `seq` of the head, -1 where there is no chain. */
  head: number;
}

/**
 * GET /v1/evidence: whole records of a range in one of three formats. Whether they can be verified is found out before the
 * first byte goes out, for it is in the headers; what cannot be is exported all the same.
 */
export async function exportEvidence(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  gate.authenticator.authenticate(request, request.body);
  refuseFilteredOscal(request.query);
  return gate.exports.hold(async (release) => {
    const wanted = wantedOf(request.query, await orUnavailable(gate.store.head()));
    const headers = headersOf(wanted, await orUnavailable(whatIsBroken(gate, wanted)), request);
    if (request.raw.method === 'HEAD') release();
    const texts = textsOf(gate, wanted);
    return { status: 200, mediaType: EXPORT_MEDIA_TYPES[wanted.format], headers, body: streamed(texts, release) };
  });
}

/**
 * Reads the whole range: links and digests of every record, and the signatures that this process has not verified yet.
 * @returns what is broken first, and where; undefined when nothing is
 */
async function whatIsBroken(gate: Gate, { from, to }: Wanted): Promise<string | undefined> {
  const keys = gate.store.records({ from: 0, to, types: ['genesis', 'key'] });
  const signatures = gate.signatures.range(await reignsOf(keys));
  const { brokenAt, brokenBy } = await surveyRange(recordsOf(gate, { from, to, types: undefined }), signatures.add);
  if (brokenAt !== null) return `${brokenBy} broken at seq ${brokenAt}`;
  const unsigned = await signatures.brokenAt();
  return unsigned === null ? undefined : `signature broken at seq ${unsigned}`;
}

/** A document that leaves records out would silently leave out what was observed. */
function refuseFilteredOscal({ format, type }: HttpRequest['query']): void {
  if (format === 'oscal' && type !== undefined) throw gateProblem('AG-EVD-005', { detail: 'Omit type, or request a different format.' });
}

function wantedOf(query: HttpRequest['query'], chainHead: ChainHead | undefined): Wanted {
  const head = chainHead?.seq ?? -1;
  const from = typeof query.from === 'number' ? query.from : 0;
  const asked = typeof query.to === 'number' ? query.to : undefined;
  if (asked !== undefined && from > asked)
    throw gateProblem('AG-SCH-005', { errors: [{ path: '/from', message: 'must not be after to' }] });
  const last = Math.min(asked ?? head, head);
  const to = Math.min(last, from + MAX_RECORDS - 1);
  return { format: formatOf(query.format), types: typesOf(query.type), from, to, nextFrom: to < last ? to + 1 : undefined, head };
}

/** The schema of the query says that it is one of them. */
function formatOf(value: QueryValue | undefined): Format {
  return value === 'csv' || value === 'oscal' ? value : 'jsonl';
}

function typesOf(value: QueryValue | undefined): readonly RecordType[] | undefined {
  if (value === undefined) return undefined;
  const asked = [value].flat();
  return RECORD_TYPES.filter((type) => asked.includes(type));
}

function recordsOf({ store }: Gate, { from, to, types }: Pick<Wanted, 'from' | 'to' | 'types'>) {
  return from > to ? nothing() : store.records({ from, to, ...(types && { types }) });
}

async function* nothing(): AsyncGenerator<never> {}

function headersOf(wanted: Wanted, broken: string | undefined, request: HttpRequest): { [name: string]: string } {
  const { from, to, head, nextFrom } = wanted;
  const reason = notVerifiable(wanted, broken);
  const range = from > to ? `*/${head}` : `${from}-${to}/${head}`;
  return {
    'X-SVC-Verifiable': String(reason === undefined),
    ...(reason !== undefined && { 'X-SVC-Not-Verifiable-Reason': reason }),
    'X-SVC-Range': range,
    ...(nextFrom !== undefined && {
      'X-SVC-Next-From': String(nextFrom),
      Link: `<${nextTarget(request, nextFrom)}>; rel="next"`,
    }),
  };
}

function notVerifiable({ types, from, to }: Wanted, broken: string | undefined): string | undefined {
  if (types) return 'filtered by type';
  if (from > to) return 'empty range';
  return broken;
}

/** The same question about the rest. It is made of values that were checked, not of what was sent. */
function nextTarget({ path, query }: HttpRequest, from: number): string {
  const parameters = new URLSearchParams({ from: String(from) });
  for (const name of ['to', 'format', 'type'] as const)
    for (const value of [query[name] ?? []].flat()) parameters.append(name, String(value));
  return `${path}?${parameters}`;
}

function textsOf(gate: Gate, wanted: Wanted): AsyncIterable<string> {
  const records = () => recordsOf(gate, wanted);
  switch (wanted.format) {
    case 'jsonl':
      return exportJsonl(records());
    case 'csv':
      return exportCsv(records());
    case 'oscal':
      return exportOscal(
        records,
        oscalSettings(gate.config.oscal, gate.store.chainId, gate.policies.bundle?.policies ?? [], {
          nextFrom: wanted.nextFrom ?? null,
          head: wanted.head,
        }),
      );
  }
}

async function* streamed(texts: AsyncIterable<string>, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const text of texts) yield Buffer.from(text);
  } finally {
    release();
  }
}
