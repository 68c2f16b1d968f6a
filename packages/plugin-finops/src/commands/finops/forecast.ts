import { config, html, json, remote } from '@bylaw/core/command/flags';
import { print, printJson, refuseInput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { costFlags } from '../../cli/cost-flags.js';

export default class FinopsForecast extends Command {
  static override summary = 'Forecast cost with prediction intervals, and check budgets.';

  static override description =
    `Combines several methods, weighted by their accuracy in backtests on the history, and derives the prediction intervals from the backtest errors.

Exits with 0 on success, with 1 if the chance of exceeding a budget reaches --fail-on-over, and with 2 if the input cannot be used.`;

  static override examples = [
    {
      description: 'Forecast to the end of the year, with a monthly budget',
      command: '<%= config.bin %> finops forecast --focus bill.csv.gz --until 2026-12-31 --budget prod=12000/month',
    },
    {
      description: 'Fail a nightly job if a team is likely to exceed its budget',
      command:
        '<%= config.bin %> finops forecast --focus bill.csv --group tag:team --budget search=900/month,tag:team=search --fail-on-over 0.5',
    },
  ];

  static override flags = {
    ...costFlags,
    horizon: Flags.integer({
      description: 'Forecast horizon in buckets, at most half of the history. [default: 30 days, 168 hours, 13 weeks or 12 months]',
      helpValue: 'N',
      min: 1,
      max: 400,
    }),
    until: Flags.string({ description: 'Last day to forecast.', helpValue: 'DATE', exclusive: ['horizon'] }),
    levels: Flags.string({
      description: 'Levels of the prediction intervals, in percent. [default: 80,95]',
      helpValue: 'N,N',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
    }),
    budget: Flags.string({
      description:
        'Budget for a month, quarter or year, optionally limited to dimensions: prod=12000/month, search=900/month,tag:team=search.',
      helpValue: 'NAME=AMOUNT/PERIOD',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'known-changes': Flags.string({
      description: 'YAML file with known future changes: a list of {start, end, add or multiply, match, note}.',
      helpValue: 'FILE',
    }),
    reconcile: Flags.boolean({ description: 'Reconcile the total with its parts. [default: for bills, not for series]', allowNo: true }),
    origins: Flags.integer({
      description: 'Maximum number of earlier start dates to backtest from. [default: 6]',
      helpValue: 'N',
      min: 1,
      max: 12,
    }),
    'fail-on-over': Flags.string({
      description: 'Exit with 1 if the chance of exceeding a budget is this high or higher, 0 to 1.',
      helpValue: 'P',
      dependsOn: ['budget'],
    }),
    history: Flags.boolean({ description: 'With --json: include the history. --html implies it.' }),
    chart: Flags.boolean({ description: 'With --json: include charts as SVG.' }),
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
