import { config, json, remote, rendering } from '@bylaw/core/command/flags';
import { refuseInput } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { estimateFlags } from '../../cli/estimate-flags.js';
import { reportFlags } from '../../cli/report-flags.js';

export default class CarbonReport extends Command {
  static override summary = 'Report emissions by group, against a baseline and a target, with possible reductions.';

  static override description =
    `Accepts the same inputs as carbon estimate, or its saved output. Reports totals with ranges, GHG Protocol lines, tables by group, the change since a baseline split into activity, efficiency, grid and embodied effects, and reductions, each estimated separately. Writes text, JSON, CSV, an HTML page with charts, or an Impact Framework manifest.

Exits with 0 on success, with 1 if the target is not met, and with 2 if part of the input could not be read (the rest is still reported).`;

  static override examples = [
    {
      description: 'Write an HTML report for a folder of manifests',
      command: '<%= config.bin %> carbon report deploy/ --provider aws --region eu-west-1 --format html --output carbon.html',
    },
    {
      description: 'Report a monthly bill by team',
      command: '<%= config.bin %> carbon report --focus bill.csv.gz --period 2026-01-01/2026-02-01 --group-by service,tag:team',
    },
    {
      description: 'Report the change since last year, against a target',
      command: '<%= config.bin %> carbon report --estimate now.json --baseline last-year.json --target 20%',
    },
  ];

  static override args = {
    path: Args.string({ description: 'Manifests: files, folders or patterns; - for standard input. Can be given more than once.' }),
  };

  static override strict = false;

  static override flags = {
    ...estimateFlags,
    'period-hours': Flags.string({
      description: 'Length of the period, in hours. [default: the length of --period, or 730]',
      helpValue: 'HOURS',
    }),
    ...reportFlags,
    ...rendering,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(CarbonReport);
    const { reportCommand, writeReport } = await import('../../cli/report-command.js');
    const { focus = [], estimate = [], terraform, usage, baseline } = flags;
    await refuseInput(flags.output, [...argv.map(String), ...focus, ...estimate, terraform, usage, baseline]);
    const run = await reportCommand(argv.map(String), flags, await openInstallation(this.config, flags));
    await writeReport(run, flags);
    process.exitCode = run.whole ? (run.met ? 0 : 1) : 2;
  }
}
