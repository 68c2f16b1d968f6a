import { config, json, remote, rendering } from '@bylaw/core/command/flags';
import { refuseInput } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { estimateFlags } from '../../cli/estimate-flags.js';
import { reportFlags } from '../../cli/report-flags.js';

export default class CarbonReport extends Command {
  static override summary = 'Report emissions: by group, against a baseline and a target, with what would reduce them.';

  static override description =
    `Of all that carbon estimate takes, or of its saved answers. Totals with ranges, lines of the GHG Protocol, tables by group, the change since a baseline split into activity, efficiency, grid and embodied effects, and reductions, each estimated on its own. As text, JSON, CSV, a page with charts, or a manifest of the Impact Framework.

Exits with 0, with 1 when the target is not met, and with 2 when a part of the input could not be read (all the rest is still reported).`;

  static override examples = [
    {
      description: 'A page of a folder of manifests',
      command: '<%= config.bin %> carbon report deploy/ --provider aws --region eu-west-1 --format html --output carbon.html',
    },
    {
      description: 'A bill by team, for a month',
      command: '<%= config.bin %> carbon report --focus bill.csv.gz --period 2026-01-01/2026-02-01 --group-by service,tag:team',
    },
    {
      description: 'What changed since last year, and whether that is enough',
      command: '<%= config.bin %> carbon report --estimate now.json --baseline last-year.json --target 20%',
    },
  ];

  static override args = {
    path: Args.string({ description: 'Manifests: files, folders or patterns; - is standard input. May be given more than once.' }),
  };

  static override strict = false;

  static override flags = {
    ...estimateFlags,
    'period-hours': Flags.string({ description: 'Length of the period. [default: that of --period, or 730]', helpValue: 'HOURS' }),
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
