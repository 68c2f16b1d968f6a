import { config, json, judging, rendering, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { clusterFlags } from '../../cli/cluster-flags.js';

export default class ExportPolicyReport extends Command {
  static override summary = 'Write findings as policy reports for a cluster.';

  static override description =
    `PolicyReport and ClusterPolicyReport (wgpolicyk8s.io/v1alpha2), or Report and ClusterReport of OpenReports: one for each namespace and one for what stands in none, in parts that kubectl apply takes. Manifests are judged as by evaluate, a cluster as by scan; nothing is written to it.

Exits with 0 whatever was found, and with 2 when something could not be read (all the rest is still judged).`;

  static override examples = [
    {
      description: 'Show in a cluster what a folder of manifests would bring',
      command: '<%= config.bin %> export policyreport deploy/ | kubectl apply -f -',
    },
    {
      description: 'The state of a cluster, for tools that read OpenReports',
      command: '<%= config.bin %> export policyreport --cluster --api openreports --timestamps',
    },
    { description: 'A file for each report', command: '<%= config.bin %> export policyreport deploy/ --output reports/' },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input. [default: .]' }),
  };

  static override flags = {
    api: Flags.option({
      options: ['wgpolicy', 'openreports'] as const,
      description: 'Which API takes the reports.',
      default: 'wgpolicy',
    })(),
    cluster: Flags.boolean({ description: 'Judge the cluster instead of manifests.' }),
    ...clusterFlags,
    name: Flags.string({ description: 'Name of the reports.', helpValue: 'NAME', default: 'bylaw' }),
    timestamps: Flags.boolean({ description: 'Give each result the time of this run. Without it, equal input gives equal reports.' }),
    'include-passed': Flags.boolean({ description: 'Report passing rules, too.' }),
    ...judging,
    ...rendering,
    output: Flags.string({
      char: 'o',
      description: 'Write to this file, or one file for each report into this folder (a path that ends in a slash, or exists).',
      helpValue: 'PATH',
    }),
    rules,
    config,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ExportPolicyReport);
    const installation = await openInstallation(this.config, flags);
    const { exportPolicyReportCommand } = await import('../../cli/export-policyreport-command.js');
    process.exitCode = await exportPolicyReportCommand(argv.map(String), flags, installation);
  }
}
