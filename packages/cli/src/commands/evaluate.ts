import {
  config,
  evaluation,
  failOn,
  fixing,
  format,
  graph,
  json,
  output,
  policyFrom,
  remote,
  rendering,
  rules,
  subject,
  withFormats,
} from '@bylaw/core/command/flags';
import { installedPlugins, openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';

export default class Evaluate extends Command {
  static override summary = 'Evaluate manifests against the rules.';

  static override description =
    `Reads Kubernetes YAML and JSON, and Terraform plan JSON, from files, folders, patterns and standard input (-). Renders Helm charts and kustomizations with the helm, kustomize or kubectl on this machine.

The exit code is 0 on success, 1 if a finding reaches the --fail-on threshold, 2 if a part of the input could not be read (the rest is still evaluated), and 3 if the configuration or a custom rule is invalid.`;

  static override examples = [
    { description: 'Everything in a folder', command: '<%= config.bin %> evaluate deploy/' },
    { description: 'A Helm chart with production values', command: '<%= config.bin %> evaluate ./chart --helm-values prod.yaml' },
    { description: 'A report for code scanning', command: '<%= config.bin %> evaluate deploy/ --format sarif --output bylaw.sarif' },
    { description: 'Apply safe fixes; --dry-run only shows them', command: '<%= config.bin %> evaluate deploy/ --fix --dry-run' },
    { description: 'A picture of what refers to what, with the findings', command: '<%= config.bin %> evaluate deploy/ --graph graph.svg' },
    { description: 'Only what a pull request changes', command: '<%= config.bin %> evaluate deploy/ --changed-since origin/main' },
    {
      description: 'Accept the current findings, and fail only on new ones',
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
    graph,
    'fail-on': failOn(),
    ...evaluation,
    ...rendering,
    ...fixing,
    'changed-since': Flags.string({
      description:
        'Evaluate only what has changed since this branch diverged from another branch, a tag or a commit. Rules that compare objects with each other still see all of them.',
      helpValue: 'REF',
    }),
    'write-baseline': Flags.string({
      description: 'Write the findings as a baseline to this file. They do not fail the command.',
      helpValue: 'FILE',
    }),
    'fail-on-skipped': Flags.boolean({
      description: 'Exit with 2 if something that may contain manifests was not read. Without this flag, it is reported as a note.',
    }),
    'include-passed': Flags.boolean({ description: 'Also report passing rules.' }),
    verbose: Flags.boolean({ description: 'List every finding, even if the format shows only the first findings of each rule.' }),
    threads: Flags.integer({
      helpValue: 'N',
      description: 'Number of evaluation threads. [default: depends on the size of the input]',
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
    const { argv, flags } = await this.parse({ ...Evaluate, flags: withFormats(Evaluate.flags, await installedPlugins(this.config)) });
    const installation = await openInstallation(this.config, flags);
    const paths = argv.length > 0 ? argv.map(String) : ['.'];
    const chosen = { ...flags, format: flags.json ? 'json' : flags.format };
    if (flags.fix || flags['fix-unsafe']) {
      const { fixCommand } = await import('../fix/fix-command.js');
      process.exitCode = await fixCommand(paths, chosen, installation);
      return;
    }
    const { evaluateCommand } = await import('../evaluate-command.js');
    process.exitCode = await evaluateCommand(paths, chosen, installation);
  }
}
