import {
  config,
  failOn,
  fixing,
  format,
  json,
  judging,
  output,
  policyFrom,
  remote,
  rendering,
  rules,
  subject,
} from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { openDoors } from '../doors/open.js';

export default class Evaluate extends Command {
  static override summary = 'Evaluate manifests against the rules.';

  static override description =
    `Reads Kubernetes YAML and JSON and Terraform plan JSON from files, folders, patterns and standard input (-). Helm charts and kustomizations are rendered with the helm, kustomize or kubectl of this machine.

Exits with 0, with 1 when a finding reaches the threshold of --fail-on, with 2 when something could not be read (all the rest is still judged), and with 3 when the configuration or a custom rule is not valid.`;

  static override examples = [
    { description: 'Everything below a folder', command: '<%= config.bin %> evaluate deploy/' },
    { description: 'A Helm chart with the values of production', command: '<%= config.bin %> evaluate ./chart --helm-values prod.yaml' },
    { description: 'A report for code scanning', command: '<%= config.bin %> evaluate deploy/ --format sarif --output bylaw.sarif' },
    { description: 'Mend what has a safe fix; with --dry-run only show it', command: '<%= config.bin %> evaluate deploy/ --fix --dry-run' },
    { description: 'Only what a pull request changes', command: '<%= config.bin %> evaluate deploy/ --changed-since origin/main' },
    {
      description: 'Accept what is there today, and fail on anything new',
      command: '<%= config.bin %> evaluate deploy/ --write-baseline baseline.json',
    },
  ];

  static override strict = false;

  static override args = {
    path: Args.string({ name: 'PATH', description: 'Files, folders, patterns, or - for standard input. [default: .]' }),
  };

  static override flags = {
    format,
    output,
    'fail-on': failOn(),
    ...judging,
    ...rendering,
    ...fixing,
    'changed-since': Flags.string({
      description:
        'Evaluate only what has changed since this branch began from another branch, a tag or a commit. Rules that look at all objects together still see all of them.',
      helpValue: 'REF',
    }),
    'write-baseline': Flags.string({
      description: 'Write the findings as a baseline to this file; they do not fail the command.',
      helpValue: 'FILE',
    }),
    'fail-on-skipped': Flags.boolean({
      description: 'Exit with 2 if something that may hold manifests was not read. Without this flag, it is reported as a note.',
    }),
    'include-passed': Flags.boolean({ description: 'Report passing rules, too.' }),
    verbose: Flags.boolean({ description: 'List every finding, where the format would show the first of each rule only.' }),
    threads: Flags.integer({
      helpValue: 'N',
      description: 'Threads that judge. [default: as many as the input is worth]',
      min: 0,
      max: 256,
    }),
    ...subject,
    rules,
    config,
    'policy-from': policyFrom,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Evaluate);
    const installation = await openInstallation(this.config, flags);
    const paths = argv.length > 0 ? argv.map(String) : ['.'];
    const chosen = { ...flags, format: flags.json ? 'json' : flags.format };
    if (flags.fix || flags['fix-unsafe']) {
      const { fixCommand } = await import('../fix/fix-command.js');
      process.exitCode = await fixCommand(paths, chosen, installation);
      return;
    }
    const { evaluateCommand } = await import('../evaluate-command.js');
    process.exitCode = await evaluateCommand(paths, chosen, installation, await openDoors(installation, flags));
  }
}
