import { config, evaluation, json, output, policyFrom, remote, rendering, rules } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';

export default class Compliance extends Command {
  static override summary = 'Show which rules support the controls of compliance frameworks, or check the controls.';

  static override description =
    `Without a path, shows how many controls of each framework have a rule and how many do not. With paths, evaluates the manifests and reports for each control whether it passes, fails, is not checked or is not covered.

A control passes if the rules that support it report no findings. This does not prove that you meet the control.

With paths, the exit code is 0 on success, 1 if a control fails (with --framework: a control of these frameworks), 2 if a part of the input could not be read or evaluated (the rest is still evaluated), and 3 if the configuration or a custom rule is invalid.`;

  static override examples = [
    { description: 'All frameworks', command: '<%= config.bin %> compliance' },
    { description: 'The controls of one framework, with their rules', command: '<%= config.bin %> compliance --framework CIS-K8S' },
    { description: 'Evaluate a folder', command: '<%= config.bin %> compliance deploy/' },
    {
      description: 'An HTML report with the status of each control of one framework',
      command: '<%= config.bin %> compliance deploy/ --framework NIST-800-190 --format html --output compliance.html',
    },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders or patterns to evaluate, or - for standard input.' }),
  };

  static override flags = {
    format: Flags.string({
      char: 'f',
      description: 'Output format. With --framework, the text format lists the controls.',
      options: ['text', 'json', 'csv', 'html'],
      default: 'text',
    }),
    output,
    ...evaluation,
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
    process.exitCode = await complianceCommand(argv.map(String), chosen, installation);
  }
}
