import type { InputError } from '../../errors.js';
import type { JsonValue } from '../text/json.js';
import { type CommentIndex, indexComments, NO_COMMENTS } from './comment-index.js';
import { explainReadError } from './explain.js';
import { commentsOf } from './ignore-comments.js';
import { type ParsedDocument, parseDocuments } from './parse.js';
import { type Places, RENDERED_PLACES } from './places.js';
import type { SourceDocument } from './source-document.js';

/** What a text says: its value without members that were null, where everything in it is, and the comments that govern parts of it. */
export interface YamlDocument {
  value: JsonValue;
  places: Places;
  comments: CommentIndex;
}

/**
 * Reads YAML or JSON as far as that can be done without knowing what it is about. Never throws for the content of the text.
 * @returns the documents of the text, normally one and more if it is not split yet; or why it cannot be read
 */
export function readYaml(document: SourceDocument): YamlDocument[] | InputError {
  try {
    return parsedDocuments(document).map((parsed) => ({
      value: parsed.value,
      places: parsed.places,
      comments: document.text.includes('bylaw:ignore') ? indexComments(commentsOf(parsed)) : NO_COMMENTS,
    }));
  } catch (error) {
    return explainReadError(error, document);
  }
}

function parsedDocuments(document: SourceDocument): ParsedDocument[] {
  const parsed = parseDocuments(document);
  return document.rendered === undefined ? parsed : parsed.map((one) => ({ ...one, places: RENDERED_PLACES }));
}
