import { config, html, json, remote } from '@bylaw/core/command/flags';
import { print, printJson, refuseInput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { costFlags } from '../../cli/cost-flags.js';

export default class FinopsAnomalies extends Command {
  static override summary = 'Find unexpected changes in cost, and explain them.';

  static override description =
    `Compares each day only with the days before it, so results for past days do not change when new data arrives.

Exits with 0 on success, with 1 if an unplanned anomaly has the severity of --fail-on or higher, and with 2 if the input cannot be used.`;

  static override examples = [
    {
      description: 'Check a bill by team',
      command: '<%= config.bin %> finops anomalies --focus bill.csv.gz --group tag:team --monitor tag:team',
    },
    { description: 'Write an HTML page with charts', command: '<%= config.bin %> finops anomalies --focus bill.csv --html anomalies.html' },
    {
      description: 'Fail a nightly job on severe anomalies',
      command: '<%= config.bin %> finops anomalies --focus bill.csv --min-impact 50 --fail-on high',
    },
  ];

  static override flags = {
    ...costFlags,
    sensitivity: Flags.option({
      description: 'Sensitivity of the detection: high reports smaller deviations.',
      options: ['low', 'normal', 'high'] as const,
      default: 'normal' as const,
    })(),
    'threshold-z': Flags.string({
      description: 'Deviation that counts as an anomaly, in multiples of the usual residual, 1 to 100. Overrides --sensitivity.',
      helpValue: 'Z',
    }),
    'min-impact': Flags.string({
      description: 'Minimum impact of an anomaly, in units of the currency. [default: 10]',
      helpValue: 'AMOUNT',
    }),
    'min-percent': Flags.string({
      description: 'Minimum impact of an anomaly, in percent of the expected cost. [default: 5]',
      helpValue: 'PERCENT',
    }),
    up: Flags.boolean({ description: 'Report increases only.' }),
    monitor: Flags.string({
      description:
        'Dimensions whose groups are monitored, such as service or account+region; * is the total. [default: *, service, account, region]',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'max-drivers': Flags.integer({ description: 'Maximum number of drivers per anomaly.', helpValue: 'N', min: 1, max: 50, default: 5 }),
    planned: Flags.string({ description: 'YAML file with planned events: a list of {start, end, match, note}.', helpValue: 'FILE' }),
    'history-days': Flags.integer({
      description: 'Number of days of history to use.',
      helpValue: 'N',
      min: 28,
      max: 4000,
      default: 400,
    }),
    buckets: Flags.boolean({ description: 'With --json: include every bucket. --html implies it.' }),
    chart: Flags.boolean({ description: 'With --json: include charts as SVG.' }),
    html,
    'fail-on': Flags.option({
      description: 'Exit with 1 if an unplanned anomaly has this severity or higher.',
      options: ['low', 'medium', 'high', 'critical', 'none'] as const,
      default: 'none' as const,
    })(),
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FinopsAnomalies);
    const { anomaliesCommand, failsOn } = await import('../../cli/anomalies-command.js');
    await refuseInput(flags.html, [...(flags.focus ?? []), flags.series, flags.planned, flags.recency]);
    const answer = await anomaliesCommand(flags, await openInstallation(this.config, flags));
    if (flags.html !== undefined) {
      const { anomaliesPage } = await import('../../cli/anomalies-page.js');
      await writeFileWhole(flags.html, async (out) => out.write(anomaliesPage(answer)));
    }
    if (flags.json) await printJson(answer);
    else {
      const { anomaliesText } = await import('../../cli/anomalies-text.js');
      await print(anomaliesText(answer, terminal()));
    }
    process.exitCode = failsOn(answer, flags['fail-on']) ? 1 : 0;
  }
}
