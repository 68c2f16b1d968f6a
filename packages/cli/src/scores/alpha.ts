import { BylawError } from '@bylaw/core/errors';

/** @throws {BylawError} `usage` */
export function alphaOf(text: string): number {
  const alpha = text.trim() === '' ? Number.NaN : Number(text);
  if (alpha > 0 && alpha <= 0.5) return alpha;
  throw new BylawError('usage', '--alpha is no significance level.', { hint: 'Give a number above 0, up to 0.5, such as 0.05.' });
}
