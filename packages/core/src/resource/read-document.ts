import type { InputError } from '../errors.js';
import { indexComments, NO_COMMENTS } from './comment-index.js';
import { explainReadError } from './explain.js';
import { extractResources } from './extract.js';
import type { Extraction } from './extraction.js';
import { commentsOf } from './ignore-comments.js';
import { parseDocuments } from './parse.js';
import type { SourceDocument } from './resource.js';

export type { Extraction } from './extraction.js';

export interface ReadOptions {
  /** Whether the user named the file: a document that is no resource is then an error, not something to pass over. Default true. */
  explicit?: boolean;
}

/**
 * Makes resources of one document: one object, each item of a `List`, or the resources of a Terraform plan. What cannot be read
 * is an error with its place; what can be is still returned. Never throws.
 */
export function readDocument(document: SourceDocument, options: ReadOptions = {}): Extraction {
  const explicit = options.explicit ?? true;
  const result: Extraction = { resources: [], errors: [], skipped: 0 };
  try {
    for (const parsed of parseDocuments(document)) {
      const comments = document.text.includes('bylaw:ignore') ? indexComments(commentsOf(parsed)) : NO_COMMENTS;
      extractResources(result, parsed.value, { file: document.file, document: document.index, explicit, places: parsed.places, comments });
    }
  } catch (error) {
    const explained = explainReadError(error, document);
    if (!explicit && isForeignJson(document, explained)) result.skipped++;
    else result.errors.push(explained);
  }
  return result;
}

/** A configuration file in JSON with comments (tsconfig.json and its like), met while walking a directory, is nobody's manifest. */
function isForeignJson(document: SourceDocument, error: InputError): boolean {
  return error.code === 'json-syntax' && /\.json$/i.test(document.file) && !document.text.includes('apiVersion');
}
