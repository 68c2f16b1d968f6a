import { costError } from '@bylaw/core/cost';

/**
 * Refuses a span that ends before it begins: it would touch nothing, and nobody would know.
 * @param path JSON Pointer of the list
 * @throws {BylawError} `instant-invalid`
 */
export function refuseReversed(spans: readonly { start: string; end?: string }[], path: string): void {
  // Days in this form are in the order of their texts.
  const at = spans.findIndex(({ start, end }) => end !== undefined && end < start);
  if (at >= 0)
    throw costError('instant-invalid', `${path}/${at} ends before it starts.`, { path: `${path}/${at}`, hint: 'Swap its dates.' });
}
