import type { IgnoreComment } from './ignore-comments.js';

/** The comments of a document by what they govern: a List may hold thousands of objects, and thousands of comments. */
export interface CommentIndex {
  /** The comments that govern an object or a part of it, with pointers from the object. One above the object governs it as a whole. */
  of(object: string): IgnoreComment[];
}

export const NO_COMMENTS: CommentIndex = { of: () => [] };

/** `comments` carry pointers from the root of the document, as the argument of `of` is one. */
export function indexComments(comments: readonly IgnoreComment[]): CommentIndex {
  const at = Map.groupBy(comments, (comment) => comment.pointer);
  const below = new Map<string, IgnoreComment[]>();
  for (const comment of comments) {
    for (const ancestor of ancestorsOf(comment.pointer)) {
      const known = below.get(ancestor);
      if (known === undefined) below.set(ancestor, [comment]);
      else known.push(comment);
    }
  }
  return {
    of(object) {
      const above = [...ancestorsOf(object), object]
        .flatMap((ancestor) => at.get(ancestor) ?? [])
        .map((comment) => ({ ...comment, pointer: '' }));
      const inside = (below.get(object) ?? []).map((comment) => ({ ...comment, pointer: comment.pointer.slice(object.length) }));
      return [...above, ...inside];
    },
  };
}

/** The pointers of everything that holds the value at a pointer, the root first. */
function ancestorsOf(pointer: string): string[] {
  const ancestors: string[] = [];
  for (let end = pointer.lastIndexOf('/'); end !== -1; end = pointer.lastIndexOf('/', end - 1)) {
    ancestors.unshift(pointer.slice(0, end));
    if (end === 0) break;
  }
  return ancestors;
}
