import { type CostInput, costFilesAt } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import type { CostFlags } from './cost-flags.js';
import { seriesAt } from './read-cost.js';

/** The cost that the flags name as a body carries it. A server takes 16 MiB by default: larger bills are for the command without a server. */
export async function remoteInput(flags: CostFlags): Promise<Pick<CostInput, 'series' | 'focus_rows' | 'focus_csv'>> {
  if (flags.series !== undefined) return { series: await seriesAt(flags.series) };
  const [file, another] = await costFilesAt(flags.focus ?? []);
  if (!file) throw new BylawError('usage', 'No cost is named.', { hint: 'Name a bill with --focus FILE, or series with --series FILE.' });
  if (another)
    throw new BylawError('usage', 'A server takes one bill at a time.', { hint: 'Leave out --remote and SVC_API_URL, or name one file.' });
  const pieces: string[] = [];
  for await (const piece of file.text) pieces.push(piece);
  const text = pieces.join('');
  return file.form === 'csv' ? { focus_csv: text } : { focus_rows: JSON.parse(text) };
}
