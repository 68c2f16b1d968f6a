import { BylawError } from '@bylaw/core/errors';

/** @throws {BylawError} `usage` */
export function alphaOf(text: string): number {
  const alpha = text.trim() === '' ? Number.NaN : Number(text);
  if (alpha > 0 && alpha <= 0.5) return alpha;
  throw new BylawError('usage', '--alpha must be a number above 0 and at most 0.5.', { hint: 'For example 0.05.' });
}
