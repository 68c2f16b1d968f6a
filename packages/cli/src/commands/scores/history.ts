import { html } from '@bylaw/core/command/flags';
import { print, printJson, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { openDoors } from '../../open-doors.js';
import { runsFlags, runsQuery } from '../../scores/flags.js';

export default class ScoresHistory extends Command {
  static override summary = 'Show the scores of a project over time.';

  static override examples = [
    { description: 'The newest runs', command: '<%= config.bin %> scores history --project shop' },
    {
      description: 'One score per day, based on the rules that all runs used',
      command: '<%= config.bin %> scores history --project shop --bucket day --like-for-like',
    },
    { description: 'A page with charts', command: '<%= config.bin %> scores history --project shop --html scores.html' },
  ];

  static override flags = {
    ...runsFlags,
    limit: Flags.integer({
      description: 'Show at most this number of points, the newest ones.',
      helpValue: 'N',
      min: 1,
      max: 1000,
      default: 200,
    }),
    cursor: Flags.string({ description: 'Continue with older points: the `next_cursor` of the previous answer.', helpValue: 'TEXT' }),
    html,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ScoresHistory);
    const doors = await openDoors(await openInstallation(this.config, flags), flags);
    const cursor = flags.cursor === undefined ? {} : { cursor: flags.cursor };
    const history = await doors.scoreHistory({ ...runsQuery(flags), limit: flags.limit, ...cursor });
    if (flags.html !== undefined) {
      const { scorePage } = await import('../../output/score-page.js');
      const page = scorePage(history, await doors.scoreTrend(runsQuery(flags)));
      await writeFileWhole(flags.html, async (out) => out.write(page));
    }
    if (flags.json) return printJson(history);
    const { historyText } = await import('../../output/score-text.js');
    await print(historyText(history, terminal()));
  }
}
