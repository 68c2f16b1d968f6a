import { config, failOn, format, json, judging, output, remote, rules, subject } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { clusterFlags } from '../cli/cluster-flags.js';
import { scopeFlags } from '../cli/scope-flags.js';

const { namespace: _, ...judgingFlags } = judging;

export default class Scan extends Command {
  static override summary = 'Scan a cluster.';

  static override description =
    `Lists the objects that the rules look at, and judges them as they are. It only ever reads: get, list and watch. What a controller has made of its template counts with the controller.

Exits with 0, with 1 when a finding reaches the threshold of --fail-on, with 2 when a part of the cluster could not be listed (all the rest is still judged), and with 3 when the configuration or a custom rule is not valid.`;

  static override examples = [
    { description: 'All that the current context of the kubeconfig leads to', command: '<%= config.bin %> scan' },
    { description: 'Two namespaces of another cluster', command: '<%= config.bin %> scan --context production -n shop -n payments' },
    { description: 'Only workloads and their network', command: '<%= config.bin %> scan --kind Deployment,StatefulSet,NetworkPolicy' },
    { description: 'What a rollout does to the findings', command: '<%= config.bin %> scan -n shop --watch' },
    { description: 'A report to send', command: '<%= config.bin %> scan --format html --output cluster.html' },
  ];

  static override flags = {
    ...clusterFlags,
    ...scopeFlags,
    format,
    output,
    'fail-on': failOn(),
    ...judgingFlags,
    'write-baseline': Flags.string({
      description: 'Write the findings as a baseline to this file; they do not fail the command.',
      helpValue: 'FILE',
      exclusive: ['watch'],
    }),
    watch: Flags.boolean({ char: 'w', description: 'Go on, and print findings as they come and go, until Ctrl-C.' }),
    'include-passed': Flags.boolean({ description: 'Report passing rules, too.' }),
    verbose: Flags.boolean({ description: 'List every finding, where the format would show the first of each rule only.' }),
    ...subject,
    rules,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Scan);
    const installation = await openInstallation(this.config, flags);
    const { scanCommand } = await import('../cli/scan-command.js');
    process.exitCode = await scanCommand({ ...flags, format: flags.json ? 'json' : flags.format }, installation);
  }
}
