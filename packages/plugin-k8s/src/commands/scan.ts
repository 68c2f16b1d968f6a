import { config, evaluation, failOn, format, graph, json, output, remote, rules, subject, withFormats } from '@bylaw/core/command/flags';
import { installedPlugins, openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { clusterFlags } from '../cli/cluster-flags.js';
import { scopeFlags } from '../cli/scope-flags.js';

const { namespace: _, ...evaluationFlags } = evaluation;

export default class Scan extends Command {
  static override summary = 'Scan a cluster.';

  static override description =
    `Lists the objects that the rules check, and evaluates them in their current state. A scan only reads: get, list and watch. Objects that a controller creates from its template count as part of the controller.

The exit code is 0 on success, 1 if a finding reaches the --fail-on threshold, 2 if a part of the cluster could not be listed (the rest is still evaluated), and 3 if the configuration or a custom rule is invalid.`;

  static override examples = [
    { description: 'The cluster of the current kubeconfig context', command: '<%= config.bin %> scan' },
    { description: 'Two namespaces of a different cluster', command: '<%= config.bin %> scan --context production -n shop -n payments' },
    { description: 'Only workloads and network policies', command: '<%= config.bin %> scan --kind Deployment,StatefulSet,NetworkPolicy' },
    { description: 'How a rollout changes the findings', command: '<%= config.bin %> scan -n shop --watch' },
    { description: 'A picture of a namespace', command: '<%= config.bin %> scan -n shop --graph shop.svg' },
    { description: 'A report to share', command: '<%= config.bin %> scan --format html --output cluster.html' },
  ];

  static override flags = {
    ...clusterFlags,
    ...scopeFlags,
    format,
    output,
    graph,
    'fail-on': failOn(),
    ...evaluationFlags,
    'write-baseline': Flags.string({
      description: 'Write the findings as a baseline to this file. They do not fail the command.',
      helpValue: 'FILE',
      exclusive: ['watch'],
    }),
    watch: Flags.boolean({ char: 'w', description: 'Keep running until Ctrl-C, and print findings as they appear and disappear.' }),
    'include-passed': Flags.boolean({ description: 'Also report passing rules.' }),
    verbose: Flags.boolean({ description: 'List every finding, even if the format shows only the first findings of each rule.' }),
    ...subject,
    rules,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse({ ...Scan, flags: withFormats(Scan.flags, await installedPlugins(this.config)) });
    const installation = await openInstallation(this.config, flags);
    const { scanCommand } = await import('../cli/scan-command.js');
    process.exitCode = await scanCommand({ ...flags, format: flags.json ? 'json' : flags.format }, installation);
  }
}
