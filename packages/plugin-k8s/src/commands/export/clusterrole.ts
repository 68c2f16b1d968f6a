import { config, json, output, rule, rules, selection } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';

export default class ExportClusterRole extends Command {
  static override summary = 'Print the permissions that a scan needs.';

  static override description =
    `Prints a ClusterRole that allows get, list and watch for the kinds that the rules check, and nothing else. Fewer rules need fewer kinds: for example, without the rules about Secrets, a scan needs no permission to read them.`;

  static override examples = [
    '<%= config.bin %> export clusterrole | kubectl apply -f -',
    {
      description: 'With a service account for a workload',
      command: '<%= config.bin %> export clusterrole --service-account bylaw-system/bylaw-scan',
    },
    { description: 'Only what the rules of two categories need', command: '<%= config.bin %> export clusterrole --category CS,SC' },
  ];

  static override flags = {
    name: Flags.string({ description: 'Name of the ClusterRole.', helpValue: 'NAME', default: 'bylaw-scan' }),
    'service-account': Flags.string({
      description: 'Also print this ServiceAccount, and bind the role to it.',
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
