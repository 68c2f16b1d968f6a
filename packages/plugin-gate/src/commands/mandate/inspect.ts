import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { checking, config, json } from '../../cli/terminal/input-flags.js';

export default class MandateInspect extends Command {
  static override summary = 'Show what a mandate allows, and whether the gate would accept it.';

  static override description =
    'Shows the mandate in words and checks what the gate checks: the signature and the revocations of the bundle, the validity, and whether it covers a proposal. The reasons have the codes of a verdict. Exits with 1 if a check fails. What is not given is not checked.';

  static override examples = [
    '<%= config.bin %> mandate inspect mandate.json --bundle ./policies',
    '<%= config.bin %> mandate inspect mandate.json --bundle ./policies --proposal proposal.json --at 2026-03-02T10:00:00.000Z',
  ];

  static override args = {
    file: Args.string({ name: 'FILE', description: 'File with the mandate (JSON), or - for standard input.', required: true }),
  };

  static override flags = {
    bundle: checking.bundle,
    proposal: Flags.string({ description: 'File with a proposal or an envelope (JSON) that the mandate is to cover.', helpValue: 'FILE' }),
    at: Flags.string({
      description: 'Time of the check if the proposal does not set one, such as 2026-01-02T03:04:05.678Z. [default: now]',
      helpValue: 'TIME',
    }),
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MandateInspect);
    const [{ inspectFile }, { checkLines, mandateLines }, { print, printJson }] = await Promise.all([
      import('../../cli/mandates/mandate-commands.js'),
      import('../../cli/mandates/mandate-text.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { mandate, checks, valid } = await inspectFile(await openInstallation(this.config, flags), args.file, flags);
    if (flags.json) await printJson({ valid, checks, mandate });
    else await print(mandateLines(mandate) + checkLines(checks));
    process.exitCode = valid === false ? 1 : 0;
  }
}
