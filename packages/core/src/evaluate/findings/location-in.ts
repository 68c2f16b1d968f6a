import type { Location } from '../../errors.js';
import type { Source } from '../../resource/resource.js';
import type { Position } from '../../resource/text/lines.js';

/** A place in the file of a resource; null for one that came without lines. */
export function locationIn({ file, line: start, rendered }: Source, { line, column }: Position): Location | null {
  if (start === 0) return null;
  return rendered === undefined ? { file, line, column } : { file, line, column, rendered_from: rendered };
}
