import { config, json, remote, rendering } from '@bylaw/core/command/flags';
import { print, printJson, terminal } from '@bylaw/core/command/output';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { estimateFlags } from '../../cli/estimate-flags.js';

export default class CarbonEstimate extends Command {
  static override summary = 'Estimate energy use and greenhouse gas emissions, with ranges.';

  static override description =
    `Estimates Kubernetes manifests, a Terraform plan, a bill, or a list of instances. Every figure has a 90 % range, and --json lists the source of every factor. Anything that cannot be estimated is listed, not guessed.

Exits with 0 on success, with 1 if the proposal of --compare emits more than --fail-on-increase allows, and with 2 if part of the input could not be read (the rest is still estimated).`;

  static override examples = [
    {
      description: 'Estimate a folder of manifests',
      command: '<%= config.bin %> carbon estimate deploy/ --provider aws --region eu-west-1',
    },
    {
      description: 'Estimate the effect of a change',
      command: '<%= config.bin %> carbon estimate deploy/ --provider gcp --region europe-west1 --compare proposed/ --fail-on-increase 10%',
    },
    { description: 'Estimate a bill', command: '<%= config.bin %> carbon estimate --focus bill.csv.gz --functional-unit requests=8.1e8' },
    { description: 'Estimate a Terraform plan', command: '<%= config.bin %> carbon estimate --terraform plan.json --json' },
  ];

  static override args = {
    // Standard input is of whoever names it: a bill, a list of usage.
    path: Args.string({
      description: 'Manifests: files, folders or patterns; - for standard input. Can be given more than once.',
      ignoreStdin: true,
    }),
  };

  static override strict = false;

  static override flags = {
    ...estimateFlags,
    compare: Flags.string({
      description: 'Proposed manifests to compare with.',
      helpValue: 'PATH',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-terraform': Flags.string({ description: 'Proposed Terraform plan to compare with.', helpValue: 'FILE' }),
    'compare-usage': Flags.string({ description: 'Proposed usage list to compare with.', helpValue: 'FILE' }),
    'compare-focus': Flags.string({
      description: 'Proposed bill to compare with.',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-nodes': Flags.string({
      description: 'Nodes that the proposed pods run on.',
      helpValue: 'TYPE=COUNT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'compare-provider': Flags.option({
      description: 'Proposed provider.',
      options: ['aws', 'azure', 'gcp', 'on-prem'] as const,
    })(),
    'compare-region': Flags.string({ description: 'Proposed region.', helpValue: 'REGION' }),
    'fail-on-increase': Flags.string({
      description: 'Exit with 1 if the proposal increases emissions by more than this percentage.',
      helpValue: 'PERCENT',
    }),
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
