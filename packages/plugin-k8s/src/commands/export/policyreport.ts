import { config, evaluation, json, rendering, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { clusterFlags } from '../../cli/cluster-flags.js';

export default class ExportPolicyReport extends Command {
  static override summary = 'Write findings as policy reports for a cluster.';

  static override description =
    `Writes PolicyReport and ClusterPolicyReport objects (wgpolicyk8s.io/v1alpha2), or Report and ClusterReport objects of OpenReports: one for each namespace and one for cluster-scoped resources, split into parts that kubectl apply accepts. Evaluates manifests like \`bylaw evaluate\` and clusters like \`bylaw scan\`; nothing is written to the cluster.

The exit code is 0 whatever was found, and 2 if a part of the input could not be read (the rest is still evaluated).`;

  static override examples = [
    {
      description: 'Show the findings of a folder of manifests in a cluster',
      command: '<%= config.bin %> export policyreport deploy/ | kubectl apply -f -',
    },
    {
      description: 'The state of a cluster, for tools that read OpenReports',
      command: '<%= config.bin %> export policyreport --cluster --api openreports --timestamps',
    },
    { description: 'One file for each report', command: '<%= config.bin %> export policyreport deploy/ --output reports/' },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input. [default: .]' }),
  };

  static override flags = {
    api: Flags.option({
      options: ['wgpolicy', 'openreports'] as const,
      description: 'API of the reports.',
      default: 'wgpolicy',
    })(),
    cluster: Flags.boolean({ description: 'Evaluate the cluster instead of manifests.' }),
    ...clusterFlags,
    name: Flags.string({ description: 'Name of the reports.', helpValue: 'NAME', default: 'bylaw' }),
    timestamps: Flags.boolean({
      description: 'Add the time of this run to each result. Without it, the same input gives the same reports.',
    }),
    'include-passed': Flags.boolean({ description: 'Also report passing rules.' }),
    ...evaluation,
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
