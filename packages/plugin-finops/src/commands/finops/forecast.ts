import { config, html, json, remote } from '@bylaw/core/command/flags';
import { print, printJson, refuseInput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { costFlags } from '../../cli/cost-flags.js';

export default class FinopsForecast extends Command {
  static override summary = 'Forecast cost, with its uncertainty, and what it means for budgets.';

  static override description =
    `Combines several methods by how well each would have done on the history, and takes its intervals from the errors that it would have made.

Exits with 0, with 1 when the chance that a budget is passed reaches --fail-on-over, and with 2 when the input cannot be used.`;

  static override examples = [
    {
      description: 'To the end of the year, with a budget of a month',
      command: '<%= config.bin %> finops forecast --focus bill.csv.gz --until 2026-12-31 --budget prod=12000/month',
    },
    {
      description: 'In a nightly job: fail when a team will likely pass its budget',
      command:
        '<%= config.bin %> finops forecast --focus bill.csv --group tag:team --budget search=900/month,tag:team=search --fail-on-over 0.5',
    },
  ];

  static override flags = {
    ...costFlags,
    horizon: Flags.integer({
      description: 'Buckets to forecast, at most half of the history. [default: 30 days, 168 hours, 13 weeks or 12 months]',
      helpValue: 'N',
      min: 1,
      max: 400,
    }),
    until: Flags.string({ description: 'Last day to forecast.', helpValue: 'DATE', exclusive: ['horizon'] }),
    levels: Flags.string({
      description: 'Chances of the intervals, in percent. [default: 80,95]',
      helpValue: 'N,N',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
    }),
    budget: Flags.string({
      description: 'What may be spent in a month, quarter or year, and on what: prod=12000/month, search=900/month,tag:team=search.',
      helpValue: 'NAME=AMOUNT/PERIOD',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'known-changes': Flags.string({
      description: 'YAML file of what will change: a list of {start, end, add or multiply, match, note}.',
      helpValue: 'FILE',
    }),
    reconcile: Flags.boolean({ description: 'Make total and parts agree. [default: for bills, not for series]', allowNo: true }),
    origins: Flags.integer({
      description: 'Earlier days that are forecast from to test it, at most. [default: 6]',
      helpValue: 'N',
      min: 1,
      max: 12,
    }),
    'fail-on-over': Flags.string({
      description: 'Exit with 1 from this chance on that a budget is passed, 0 to 1.',
      helpValue: 'P',
      dependsOn: ['budget'],
    }),
    history: Flags.boolean({ description: 'With --json: answer the history, too. It goes with --html.' }),
    chart: Flags.boolean({ description: 'With --json: answer charts as SVG, too.' }),
    html,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FinopsForecast);
    const { chanceOf, forecastCommand, passes } = await import('../../cli/forecast-command.js');
    const chance = chanceOf(flags['fail-on-over']);
    await refuseInput(flags.html, [...(flags.focus ?? []), flags.series, flags['known-changes'], flags.recency]);
    const answer = await forecastCommand(flags, await openInstallation(this.config, flags));
    if (flags.html !== undefined) {
      const { forecastPage } = await import('../../cli/forecast-page.js');
      await writeFileWhole(flags.html, async (out) => out.write(forecastPage(answer)));
    }
    if (flags.json) await printJson(answer);
    else {
      const { forecastText } = await import('../../cli/forecast-text.js');
      await print(forecastText(answer, terminal()));
    }
    process.exitCode = passes(answer, chance) ? 1 : 0;
  }
}
