import { config, json, output, rule, rules, selection } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class ExportClusterRole extends Command {
  static override summary = 'Print the rights that a scan needs.';

  static override description =
    `A ClusterRole that may get, list and watch the kinds that the rules look at, and nothing else. The fewer rules, the fewer kinds: without the rules about Secrets, for example, a scan needs no right to read them.`;

  static override examples = [
    '<%= config.bin %> export clusterrole | kubectl apply -f -',
    {
      description: 'With an account for a workload',
      command: '<%= config.bin %> export clusterrole --service-account bylaw-system/bylaw-scan',
    },
    { description: 'Only what the rules of two categories need', command: '<%= config.bin %> export clusterrole --category CS,SC' },
  ];

  static override flags = {
    name: Flags.string({ description: 'Name of the role.', helpValue: 'NAME', default: 'bylaw-scan' }),
    'service-account': Flags.string({
      description: 'Print this ServiceAccount as well, and bind the role to it.',
      helpValue: 'NAMESPACE/NAME',
    }),
    ...selection,
    rule,
    rules,
    output,
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportClusterRole);
    const installation = await openInstallation(this.config, flags);
    const { clusterRoleCommand } = await import('../../cli/cluster-role-command.js');
    await clusterRoleCommand(flags, installation);
  }
}
