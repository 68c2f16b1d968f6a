import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonical, type Writable } from '../json/index.js';

/** What every answer about cost, carbon and trends opens with, members in this order. */
export interface Envelope {
  /** Name and version of the form of the answer: `finops.anomalies/v1`. */
  schema: string;
  engine: { name: 'bylaw'; version: string };
  /** Data sets that the answer rests on. */
  data: { [dataset: string]: DatasetReference };
  /** SHA-256 of the canonical JSON of what was computed on: equal for equal input, whichever way it came. */
  input_digest: string;
  /** All of them, defaults filled in. */
  parameters: { [name: string]: unknown };
  warnings: AnswerWarning[];
}

export interface DatasetReference {
  version: string;
  sha256: string;
  licence: string;
  attribution: string;
}

export interface AnswerWarning {
  code: string;
  message: string;
  /** JSON Pointer into the request; empty where no part of it is meant. */
  path: string;
}

/** The engine of this installation, as answers name it. */
export function engine(): Envelope['engine'] {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }; // our own file
  return { name: 'bylaw', version };
}

/** `sha256:` and the digest of the canonical JSON (RFC 8785) of a value of plain objects, arrays, finite numbers and well-formed texts. */
export function inputDigest(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

/** The canonical text of a value that comes from a request, which may have lone surrogates. */
export function canonicalJson(value: unknown): string {
  // Plain data, as the callers promise.
  return canonical(value as Writable, { beyondIJson: 'stringify' });
}
