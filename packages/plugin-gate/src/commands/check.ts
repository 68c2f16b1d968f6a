import { Command } from '@oclif/core';
import { openGate } from '../cli/open/open-gate.js';
import { checking, config, json, proposalFile } from '../cli/terminal/input-flags.js';

/** Exit codes by decision. */
const EXITS = { ALLOW: 0, DENY: 10, REQUIRE_APPROVAL: 11 } as const;

export default class Check extends Command {
  static override summary = 'Evaluate a proposed action and print the verdict.';

  static override description =
    'Prints the verdict as canonical JSON (RFC 8785). The server returns the same verdict for the same input and bundle. Nothing is recorded. Exits with 0 for ALLOW, 10 for DENY, and 11 for REQUIRE_APPROVAL.';

  static override examples = [
    '<%= config.bin %> check proposal.json',
    '<%= config.bin %> check - --bundle ./policies --budget budget.json --mandate mandate.json < proposal.json',
  ];

  static override args = { file: proposalFile };

  static override flags = { ...checking, config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Check);
    const [{ checkArguments }, { check, verdictText }, { print }] = await Promise.all([
      import('../cli/policies/check-arguments.js'),
      import('../verdict/index.js'),
      import('../cli/terminal/output.js'),
    ]);
    const { input, bundle, evaluator } = await checkArguments(await openGate(this.config, flags), args.file, flags);
    const { verdict } = await check(input, bundle, evaluator);
    await print(`${verdictText(verdict)}\n`);
    process.exitCode = EXITS[verdict.decision];
  }
}
