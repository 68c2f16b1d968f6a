import type { JsonObject } from '@bylaw/core/resource';
import type { TargetedPatch } from './kustomization.js';

/**
 * Kustomize applies a patch with a target to everything that the target selects, and does not report a target that selects nothing. The same target in
 * an overlay puts a mark on each object that it selects, so the output shows which patches were applied.
 */

const MARK = 'render.bylaw.dev/patch-';

/** The patch of an overlay that marks what the patch at this position selects. With a target, kind and name of the patch itself do not count. */
export function marking({ target }: TargetedPatch, position: number): JsonObject {
  const mark = { apiVersion: 'v1', kind: 'Marked', metadata: { name: 'marked', annotations: { [`${MARK}${position}`]: '' } } };
  return { target, patch: JSON.stringify(mark) };
}

/** Takes the marks off an object, and returns the positions of the patches that were applied to it. */
export function takeMarks(annotations: JsonObject): number[] {
  const marks = Object.keys(annotations).filter((name) => name.startsWith(MARK));
  for (const mark of marks) delete annotations[mark];
  return marks.map((mark) => Number(mark.slice(MARK.length)));
}
