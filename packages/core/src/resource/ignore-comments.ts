import type { ParsedDocument } from './parse.js';
import type { IgnoreComment } from './resource.js';

export function commentsOf(_parsed: ParsedDocument, _text: string): IgnoreComment[] {
  return [];
}
