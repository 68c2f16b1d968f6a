import { config, json, remote, rendering } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { estimateFlags } from '../../cli/estimate-flags.js';

export default class CarbonEstimate extends Command {
  static override summary = 'Estimate energy and greenhouse gas emissions, with ranges.';

  static override description =
    `Of Kubernetes manifests, a Terraform plan, a bill, or a list of instances. Every figure has the range that holds it nine times in ten, and --json names the source of every factor. What cannot be estimated is listed, and not guessed.

Exits with 0, with 1 when the proposal of --compare emits more than --fail-on-increase allows, and with 2 when a part of the input could not be read (all the rest is still estimated).`;

  static override examples = [
    { description: 'A folder of manifests', command: '<%= config.bin %> carbon estimate deploy/ --provider aws --region eu-west-1' },
    {
      description: 'What a change does',
      command: '<%= config.bin %> carbon estimate deploy/ --provider gcp --region europe-west1 --compare proposed/ --fail-on-increase 10%',
    },
    { description: 'A bill', command: '<%= config.bin %> carbon estimate --focus bill.csv.gz --functional-unit requests=8.1e8' },
    { description: 'A Terraform plan', command: '<%= config.bin %> carbon estimate --terraform plan.json --json' },
  ];

  static override args = {
    // Standard input is of whoever names it: a bill, a list of usage.
    path: Args.string({
      description: 'Manifests: files, folders or patterns; - is standard input. May be given more than once.',
      ignoreStdin: true,
    }),
  };

  static override strict = false;

  static override flags = {
    ...estimateFlags,
    compare: Flags.string({
      description: 'Manifests of what would run instead.',
      helpValue: 'PATH',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-terraform': Flags.string({ description: 'Plan of what would run instead.', helpValue: 'FILE' }),
    'compare-usage': Flags.string({ description: 'List of usage of what would run instead.', helpValue: 'FILE' }),
    'compare-focus': Flags.string({
      description: 'Bill of what would run instead.',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-nodes': Flags.string({
      description: 'Nodes that the pods would run on instead.',
      helpValue: 'TYPE=COUNT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-provider': Flags.option({
      description: 'Where it would run instead.',
      options: ['aws', 'azure', 'gcp', 'on-prem'] as const,
    })(),
    'compare-region': Flags.string({ description: 'Region of what would run instead.', helpValue: 'REGION' }),
    'fail-on-increase': Flags.string({ description: 'Exit with 1 when the proposal emits so much more.', helpValue: 'PERCENT' }),
    ...rendering,
    config,
    remote,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(CarbonEstimate);
    const { estimateCommand, increases } = await import('../../cli/estimate-command.js');
    const { answer, whole } = await estimateCommand(argv.map(String), flags, await openInstallation(this.config, flags));
    const worse = increases(answer, flags['fail-on-increase']);
    if (flags.json) await printJson(answer);
    else {
      const { estimateText } = await import('../../cli/estimate-text.js');
      await print(estimateText(answer, terminal()));
    }
    process.exitCode = whole ? (worse ? 1 : 0) : 2;
  }
}
