import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { checking, config } from '../../cli/terminal/input-flags.js';

const several = { multiple: true, multipleNonGreedy: true } as const;

export default class MandateIssue extends Command {
  static override summary = 'Issue a signed mandate: an agent may act for a principal.';

  static override description =
    'Signs the mandate and prints it as JSON, or writes it to a file that only its owner can read. Lists are globs: `*` matches within a segment, `**` across segments. A mandate that is valid for longer than the bundle allows (720 hours without a bundle), or whose scope cannot match anything, is refused. If the bundle does not trust the key, the command prints the entry for `trust/issuers.yaml`.';

  static override examples = [
    "<%= config.bin %> mandate issue --key issuer.key --issuer acme-platform --subject ann@example.com --delegate release-agent --action 'tool.*' --resource 'repo://shop/**' --environment staging --valid-for 8h -o mandate.json",
    '<%= config.bin %> mandate issue --key issuer.key --from mandate.yaml --valid-for 7d',
  ];

  static override flags = {
    key: Flags.string({ description: 'File with the private key of the issuer.', helpValue: 'FILE', required: true }),
    from: Flags.string({ description: 'YAML or JSON file with members of the mandate; flags override it.', helpValue: 'FILE' }),
    id: Flags.string({ description: 'ID of the mandate. [default: a new one]', helpValue: 'ID' }),
    issuer: Flags.string({ description: 'Name of the issuer in the bundle.', helpValue: 'NAME' }),
    'key-id': Flags.string({ description: 'ID of the key in the bundle. [default: derived from the key]', helpValue: 'ID' }),
    subject: Flags.string({ description: 'Principal for whom the agent acts.', helpValue: 'ID' }),
    delegate: Flags.string({ description: 'Agent that may act.', helpValue: 'ID' }),
    action: Flags.string({ description: 'Action types that the mandate covers. Can be repeated.', helpValue: 'GLOB', ...several }),
    resource: Flags.string({ description: 'Resources that it covers. Can be repeated.', helpValue: 'GLOB', ...several }),
    environment: Flags.string({ description: 'Environments that it covers. Can be repeated.', helpValue: 'GLOB', ...several }),
    adapter: Flags.string({ description: 'Adapters that it covers. Can be repeated. [default: any]', helpValue: 'GLOB', ...several }),
    'max-cost': Flags.string({
      description: 'Highest cost of one action in minor units, such as USD.cents:500.',
      helpValue: 'UNIT:AMOUNT',
    }),
    'reversible-only': Flags.boolean({ description: 'Allow only actions that are declared reversible.' }),
    'not-before': Flags.string({
      description: 'Start of the validity, as RFC 3339 in UTC with milliseconds. [default: now]',
      helpValue: 'TIME',
    }),
    'expires-at': Flags.string({ description: 'End of the validity, in the same format.', helpValue: 'TIME' }),
    'valid-for': Flags.string({
      description: 'Time from start to end, instead of --expires-at: 30m, 8h, 7d.',
      helpValue: 'DURATION',
      exclusive: ['expires-at'],
    }),
    purpose: Flags.string({ description: 'Purpose of the mandate.', helpValue: 'TEXT' }),
    output: Flags.string({ char: 'o', description: 'Write the mandate to this new file, with mode 0600.', helpValue: 'FILE' }),
    bundle: checking.bundle,
    config,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(MandateIssue);
    const [{ issueFromFlags, writeMandate }, { print, tell }] = await Promise.all([
      import('../../cli/mandates/mandate-commands.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { mandate, missing } = await issueFromFlags(await openInstallation(this.config, flags), flags);
    if (flags.output === undefined) await print(`${JSON.stringify(mandate, null, 2)}\n`);
    else await writeMandate(flags.output, mandate);
    if (missing !== undefined) tell(missing.trimEnd());
  }
}
