import { config, html, json, remote } from '@bylaw/core/command/flags';
import { print, printJson, refuseInput, terminal, writeFileWhole } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { costFlags } from '../../cli/cost-flags.js';

export default class FinopsAnomalies extends Command {
  static override summary = 'Find days on which cost is not as expected, and say why.';

  static override description =
    `Every day is judged from the days before it only, so what is said of a past day does not change when new days arrive.

Exits with 0, with 1 when an anomaly that was not planned reaches the severity of --fail-on, and with 2 when the input cannot be used.`;

  static override examples = [
    {
      description: 'A bill, split by team',
      command: '<%= config.bin %> finops anomalies --focus bill.csv.gz --group tag:team --monitor tag:team',
    },
    { description: 'A page with charts', command: '<%= config.bin %> finops anomalies --focus bill.csv --html anomalies.html' },
    { description: 'In a nightly job', command: '<%= config.bin %> finops anomalies --focus bill.csv --min-impact 50 --fail-on high' },
  ];

  static override flags = {
    ...costFlags,
    sensitivity: Flags.option({
      description: 'How unusual a cost must be.',
      options: ['low', 'normal', 'high'] as const,
      default: 'normal' as const,
    })(),
    'threshold-z': Flags.string({
      description: 'How unusual a cost must be, in usual residuals, 1 to 100, in place of --sensitivity.',
      helpValue: 'Z',
    }),
    'min-impact': Flags.string({ description: 'Least amount that counts, in units of the currency. [default: 10]', helpValue: 'AMOUNT' }),
    'min-percent': Flags.string({ description: 'Least part of the expected cost that counts. [default: 5]', helpValue: 'PERCENT' }),
    up: Flags.boolean({ description: 'Look for rises only.' }),
    monitor: Flags.string({
      description:
        'Dimensions whose groups are watched, such as service or account+region; * is the total. [default: *, service, account, region]',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'max-drivers': Flags.integer({ description: 'The most drivers of one anomaly.', helpValue: 'N', min: 1, max: 50, default: 5 }),
    planned: Flags.string({ description: 'YAML file of planned events: a list of {start, end, match, note}.', helpValue: 'FILE' }),
    'history-days': Flags.integer({
      description: 'Days before the last one that are looked at.',
      helpValue: 'N',
      min: 28,
      max: 4000,
      default: 400,
    }),
    buckets: Flags.boolean({ description: 'With --json: answer every bucket, too. It goes with --html.' }),
    chart: Flags.boolean({ description: 'With --json: answer charts as SVG, too.' }),
    html,
    'fail-on': Flags.option({
      description: 'Exit with 1 from this severity on.',
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
