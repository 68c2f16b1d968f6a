import { createReadStream } from 'node:fs';
import { inputsAt } from '@bylaw/core/command/evaluation';
import { costFilesAt, usageFiles } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import { requestCheck } from '@bylaw/core/http';
import { isInputError, type JsonObject, type Rendering, readDocument, splitDocuments } from '@bylaw/core/resource';
import { ESTIMATE_MEMBERS } from '../endpoints/estimate-schema.js';
import { carbonError } from '../error-table.js';
import type { EstimateInputs } from '../estimate/index.js';
import { BillingReader, type ItemContext, type ReadItems } from '../items/index.js';

/** Objects of manifests, and what could not be read of them. */
export interface ReadManifests {
  objects: JsonObject[];
  errors: string[];
}

/** Reads files, folders, patterns and `-`, rendered where they are charts or kustomizations. */
export async function manifestsAt(paths: readonly string[], rendering: Rendering | undefined): Promise<ReadManifests> {
  const { inputs, inputErrors } = await inputsAt(paths, rendering);
  const read: ReadManifests = { objects: [], errors: inputErrors.map(errorText) };
  for (const input of inputs) {
    if (!('open' in input)) continue;
    for await (const part of splitDocuments(input, { last: true })) {
      if (isInputError(part)) read.errors.push(errorText(part));
      else {
        // What is missing in an object the estimate itself says, to all who ask for one.
        const { resources, errors } = readDocument(part, { explicit: input.explicit, served: true });
        for (const { object, terraform } of resources) if (terraform === undefined) read.objects.push(object);
        read.errors.push(...errors.map(errorText));
      }
    }
  }
  return read;
}

export async function terraformAt(path: string): Promise<NonNullable<EstimateInputs['terraform']>> {
  const value = await jsonAt(path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { [name: string]: unknown }; // any object
  throw carbonError('carbon-input-unreadable', `${path} is not a Terraform plan.`, {
    hint: 'Create it with: terraform show -json PLAN > plan.json',
  });
}

export async function usageAt(path: string): Promise<NonNullable<EstimateInputs['usage']>> {
  const value = await jsonAt(path);
  const [breach] = requestCheck(ESTIMATE_MEMBERS.usage)(value);
  if (breach) throw carbonError('carbon-input-unreadable', `${path}: ${breach.path || 'the file'} ${breach.message}.`);
  return value as NonNullable<EstimateInputs['usage']>; // it has passed the schema
}

/** Reads bills row by row, so that a bill of any size fits. */
export async function billsAt(paths: readonly string[], context: ItemContext): Promise<ReadItems> {
  const reader = new BillingReader(context, '/focus_csv');
  await usageFiles(await costFilesAt(paths), [], (row) => reader.add(row));
  return reader.items();
}

export async function jsonAt(path: string): Promise<unknown> {
  const value = parsed(await textAt(path));
  if (value === undefined) throw new BylawError('json-syntax', `${path} is not valid JSON.`);
  return value;
}

/** A plan or a list is held whole. */
const LONGEST = 256 * 1024 * 1024;

async function textAt(path: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of path === '-' ? process.stdin : createReadStream(path)) {
      pieces.push(piece);
      length += piece.length;
      if (length > LONGEST) break;
    }
  } catch (cause) {
    throw new BylawError('path-not-found', `Cannot read ${path}.`, { cause, hint: 'Check the path and its permissions.' });
  }
  if (length > LONGEST) throw carbonError('carbon-input-unreadable', `${path} is larger than 256 MiB.`, { hint: 'Split the file.' });
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorText({ message, location }: { message: string; location?: { file: string; line: number } | null }): string {
  return location ? `${location.file}${location.line > 0 ? `:${location.line}` : ''}: ${message}` : message;
}
