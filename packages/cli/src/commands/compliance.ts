import { config, json, judging, output, policyFrom, remote, rendering, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { openDoors } from '../doors/open.js';

export default class Compliance extends Command {
  static override summary = 'Show which rules support which controls of which frameworks, or evaluate the controls.';

  static override description =
    `Without a path: for each framework how many of its controls have a rule, and which have none. With paths: evaluates what they hold, and tells for each control whether it passes, fails, is not checked or not covered.

A control passes when the rules that support it find nothing. That is not the same as meeting it.

With paths, exits with 0, with 1 when a control fails (with --framework: of these frameworks), with 2 when something could not be read or evaluated (all the rest still is), and with 3 when the configuration or a custom rule is not valid.`;

  static override examples = [
    { description: 'All frameworks', command: '<%= config.bin %> compliance' },
    { description: 'The controls of one, with their rules', command: '<%= config.bin %> compliance --framework CIS-K8S' },
    { description: 'Evaluate a folder', command: '<%= config.bin %> compliance deploy/' },
    {
      description: 'A page to send: the status of each control of one framework',
      command: '<%= config.bin %> compliance deploy/ --framework NIST-800-190 --format html --output compliance.html',
    },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input, to evaluate.' }),
  };

  static override flags = {
    format: Flags.string({
      char: 'f',
      description: 'Form of the output. With --framework, text lists the controls.',
      options: ['text', 'json', 'csv', 'html'],
      default: 'text',
    }),
    output,
    ...judging,
    ...rendering,
    rules,
    config,
    'policy-from': policyFrom,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Compliance);
    const installation = await openInstallation(this.config, flags);
    const { complianceCommand } = await import('../compliance-command.js');
    const chosen = { ...flags, format: flags.json ? 'json' : flags.format };
    process.exitCode = await complianceCommand(argv.map(String), chosen, installation, await openDoors(installation, flags));
  }
}
