import { type CostInput, costBody } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import type { CostFlags } from './cost-flags.js';
import { seriesAt } from './read-cost.js';

/** The cost that the flags name as a body carries it. A server takes 16 MiB by default: larger bills are for the command without a server. */
export async function remoteInput(flags: CostFlags): Promise<Pick<CostInput, 'series' | 'focus_rows' | 'focus_csv'>> {
  if (flags.series !== undefined) return { series: await seriesAt(flags.series) };
  if (!flags.focus) throw new BylawError('usage', 'No input.', { hint: 'Pass a bill with --focus FILE, or series with --series FILE.' });
  return costBody(flags.focus);
}
