import type { InputError } from '../errors.js';
import { extractResources } from './extract.js';
import type { Extraction, Origin } from './extraction.js';
import { formatNotRead, formatOfFile, formatOfText } from './input/formats.js';
import { placedAtStart } from './yaml/places.js';
import { readYaml } from './yaml/read-yaml.js';
import type { SourceDocument } from './yaml/source-document.js';

export type { Extraction } from './extraction.js';

export interface ReadOptions {
  /** Whether the user named the file: a document that is not a resource is then an error, not something to pass over. Default true. */
  explicit?: boolean;
  /** Whether something else checks, or has checked, what kube-apiserver requires. Default false. */
  served?: boolean;
}

/**
 * Makes resources of one document: one object, each item of a `List`, or the resources of a Terraform plan. What cannot be read
 * is an error with its place; what can be is still returned. Never throws.
 */
export function readDocument(document: SourceDocument, options: ReadOptions = {}): Extraction {
  const { file, text, rendered, use, group } = document;
  const { explicit = true, served = false } = options;
  const result: Extraction = { resources: [], errors: [], skipped: [] };
  const byName = rendered === undefined ? formatOfFile(file) : undefined;
  if (byName !== undefined) {
    if (explicit) result.errors.push(formatNotRead(byName, { file, line: 1, column: 1 }));
    else result.skipped.push(byName);
    return result;
  }
  const read = readYaml(document);
  if (Array.isArray(read))
    for (const { value, places, comments } of read)
      extractResources(result, value, { ...originOf(document), explicit, served, places, comments, ...(use && { use }) });
  else if (!explicit && use !== 'data' && isForeignJson(document, read)) result.skipped.push('unknown');
  else if (use !== 'data') result.errors.push(read);
  if (group !== undefined) for (const resource of result.resources) resource.group ??= group;
  result.errors = result.errors.map((error) => ofOtherFormat(error, text));
  return rendered === undefined ? result : { ...result, errors: result.errors.map((error) => placedAtStart(error, rendered)) };
}

/** The text of another format is often no YAML, or one long text to YAML. */
function ofOtherFormat(error: InputError, text: string): InputError {
  if (error.location === null || (error.code !== 'yaml-syntax' && error.code !== 'not-a-resource')) return error;
  const format = formatOfText(text);
  return format === undefined ? error : formatNotRead(format, error.location);
}

function originOf({ file, index, rendered }: SourceDocument): Pick<Origin, 'file' | 'document' | 'rendered'> {
  return { file, document: index, ...(rendered !== undefined && { rendered }) };
}

/** A configuration file in JSON with comments (tsconfig.json and its like), met while walking a directory, is nobody's manifest. */
function isForeignJson(document: SourceDocument, error: InputError): boolean {
  return error.code === 'json-syntax' && /\.json$/i.test(document.file) && !document.text.includes('apiVersion');
}
