import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { BylawError } from '@bylaw/core/errors';
import type { ProblemError } from '@bylaw/core/http';
import { gateError } from '../../error-table.js';
import { IJsonError, isJsonObject, type Json, parseIJson } from '../../json/index.js';
import type { Masker } from '../../masking/index.js';
import { type Envelope, isProposalId, type ResultReport, readResult, readSubmission } from '../../proposal/index.js';

/** Where the parts of a submission are. `-` is standard input. */
export interface InputFiles {
  proposal: string;
  budget?: string | undefined;
  mandate?: string | undefined;
}

/** As much as a server takes in one body. */
const MAX_BYTES = 65_536;

/**
 * Reads a proposal, or an envelope, with a budget and a mandate from files of their own, as strictly as a server would.
 * @throws {BylawError} `path-not-found`, `usage`, AG-SCH-001, AG-SCH-002, AG-SCH-004; messages name file and path, never a value
 */
export async function readInput(files: InputFiles): Promise<Envelope> {
  const first = await readJson(files.proposal);
  const parts = { budget: files.budget, mandate: files.mandate };
  const enveloped = isJsonObject(first) && Object.hasOwn(first, 'proposal');
  if (parts.budget === undefined && parts.mandate === undefined) return submissionOf(first, files, enveloped);
  const value: { [part: string]: Json } = enveloped ? { ...first } : { proposal: first };
  for (const [part, file] of Object.entries(parts)) {
    if (file === undefined) continue;
    if (Object.hasOwn(value, part)) throw new BylawError('usage', `The envelope already has a ${part}.`, { hint: `Omit --${part}.` });
    value[part] = await readJson(file);
  }
  return submissionOf(value, files, enveloped);
}

/** What identifies a proposal cannot be masked, so it must not look like a secret: a server would refuse it, too. */
export function refuseSecrets(envelope: Envelope, masker: Masker, file: string): void {
  const errors = masker.refusals(envelope);
  if (errors.length > 0) throw gateError('AG-SCH-002', errors.map((error) => sentence(file, error)).join('\n'));
}

/** @throws {BylawError} `path-not-found`, AG-SCH-001, AG-SCH-004 */
export async function readJson(file: string): Promise<Json> {
  const bytes = await readBytes(file);
  const displayName = nameOf(file);
  if (bytes.length > MAX_BYTES)
    throw gateError('AG-SCH-004', `${displayName} is larger than ${MAX_BYTES} bytes.`, {
      hint: 'A server accepts no more in one request.',
    });
  try {
    return parseIJson(bytes);
  } catch (error) {
    if (error instanceof IJsonError) throw gateError('AG-SCH-001', `${displayName}: ${error.message}`);
    throw error;
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (cause) {
    throw new BylawError('path-not-found', `Cannot read the file ${file}.`, {
      cause,
      hint: 'Pass a JSON file, or - for standard input.',
    });
  }
}

function submissionOf(value: Json, files: InputFiles, enveloped: boolean): Envelope {
  const read = readSubmission(value);
  if ('envelope' in read) return read.envelope;
  const lines = read.errors.map((error) => {
    const [, part = '', rest = ''] = /^\/(budget|mandate|proposal)(.*)$/s.exec(error.path) ?? [];
    const own = part === 'proposal' || part === '' ? undefined : files[part as 'budget' | 'mandate']; // so the expression says
    if (own !== undefined) return sentence(own, { ...error, path: rest });
    return sentence(files.proposal, enveloped || part !== 'proposal' ? error : { ...error, path: rest });
  });
  throw gateError('AG-SCH-002', lines.join('\n'));
}

function sentence(file: string, { path, message }: ProblemError): string {
  return `${nameOf(file)}: ${path === '' ? 'the document' : path} ${message}.`;
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Makes a report of what was given on the command line, and checks it as a server would.
 * @throws {BylawError} AG-SCH-002
 */
export function readReport(proposalId: string, given: { readonly [member: string]: string | number | undefined }): ResultReport {
  if (!isProposalId(proposalId)) throw gateError('AG-SCH-002', 'The id is not a valid proposal id.');
  const members = Object.entries(given).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]]));
  const read = readResult(Object.fromEntries(members));
  if ('report' in read) return read.report;
  throw gateError('AG-SCH-002', read.errors.map(({ path, message }) => `${path} ${message}.`).join('\n'));
}
