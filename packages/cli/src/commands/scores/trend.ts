import { print, printJson, terminal } from '@bylaw/core/command/output';
import { askEndpoint } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { runsFlags, runsQuery } from '../../scores/flags.js';

export default class ScoresTrend extends Command {
  static override summary = 'Show whether the scores of a project improve or worsen.';

  static override description =
    'Fits a Theil–Sen line through the recent runs, and tests it with the Mann–Kendall test, corrected for serial correlation.';

  static override examples = [
    { description: 'The last 90 days', command: '<%= config.bin %> scores trend --project shop' },
    { description: 'Half a year of one branch', command: '<%= config.bin %> scores trend --project shop --ref main --window-days 180' },
  ];

  static override flags = {
    ...runsFlags,
    'window-days': Flags.integer({
      description: 'Number of days before the last run to include.',
      helpValue: 'N',
      min: 1,
      max: 3660,
      default: 90,
    }),
    alpha: Flags.string({ description: 'Significance level.', helpValue: 'P', default: '0.05' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ScoresTrend);
    const installation = await openInstallation(this.config, flags);
    const { getScoreTrend } = await import('../../scores/endpoints.js');
    const query = { ...runsQuery(flags), window_days: flags['window-days'], alpha: alphaOf(flags.alpha) };
    const trend = await askEndpoint(getScoreTrend, query, installation, flags);
    if (flags.json) return printJson(trend);
    const { trendText } = await import('../../output/score-text.js');
    await print(trendText(trend, terminal()));
  }
}

/** @throws {BylawError} `usage` */
function alphaOf(text: string): number {
  const alpha = text.trim() === '' ? Number.NaN : Number(text);
  if (alpha > 0 && alpha <= 0.5) return alpha;
  throw new BylawError('usage', '--alpha must be a number above 0 and at most 0.5.', { hint: 'For example 0.05.' });
}
