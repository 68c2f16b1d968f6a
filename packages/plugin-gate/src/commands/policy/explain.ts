import { Command } from '@oclif/core';
import { openGate } from '../../cli/open/open-gate.js';
import { checking, config, json, proposalFile } from '../../cli/terminal/input-flags.js';

export default class PolicyExplain extends Command {
  static override summary = 'Show for every policy whether it matches a proposal, and why not.';

  static override description =
    'Shows which `match` lists do not cover the proposal, whether the condition is true, and which part of the condition is not.';

  static override examples = [
    '<%= config.bin %> policy explain proposal.json',
    '<%= config.bin %> policy explain - --bundle ./policies --json',
  ];

  static override args = { file: proposalFile };

  static override flags = { ...checking, config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyExplain);
    const { checkArguments } = await import('../../cli/policies/check-arguments.js');
    const { explainText } = await import('../../cli/policies/policy-text.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const { check, explain } = await import('../../verdict/index.js');
    const { input, bundle, evaluator } = await checkArguments(await openGate(this.config, flags), args.file, flags);
    const { verdict } = await check(input, bundle, evaluator);
    const policies = await explain(input, bundle, evaluator);
    await (flags.json ? printJson({ verdict, policies }) : print(explainText(verdict, policies)));
  }
}
