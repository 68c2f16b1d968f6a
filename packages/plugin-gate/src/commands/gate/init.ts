import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { Command, Flags } from '@oclif/core';
import { json, secretOut } from '../../cli/terminal/input-flags.js';
import { ADAPTER_KINDS, type AdapterKind } from '../../config/gate-config.js';
import { ADAPTER_ID_PATTERN } from '../../config/sections.js';

/** Names that are safe in a file name and in YAML. */
const APPROVER = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/;

export default class GateInit extends Command {
  static override summary = 'Set up a gate: policies, keys, an adapter, an approver, and the configuration.';

  static override description =
    `Writes a policy bundle, a first proposal, a signing key, and the key of an approver, begins the evidence chain, registers an adapter, and adds all of it to bylaw.yaml, whose other content stays as it is. Prints the three commands that lead to the first decision. The first command contains the secret of the adapter, which is not stored anywhere and not shown again.

Replaces nothing: if one of the files already exists, or bylaw.yaml already configures a gate, the command changes nothing. If it was interrupted, run it again.`;

  static override examples = [
    { description: 'In the current folder', command: '<%= config.bin %> gate init' },
    { description: 'In a new folder, for a CI system', command: '<%= config.bin %> gate init --dir /srv/gate --adapter ci-main --kind ci' },
    { description: 'Write the secret to a file', command: '<%= config.bin %> gate init --secret-out 3 3> secret.txt' },
  ];

  static override flags = {
    dir: Flags.string({ description: 'Folder for the gate; created if needed. [default: the working directory]', helpValue: 'DIR' }),
    adapter: Flags.string({ description: 'Identifier of the adapter.', helpValue: 'ID', default: 'ci-main' }),
    kind: Flags.option({ options: ADAPTER_KINDS })({
      description: 'Where the adapter runs. An agent can bypass sdk and cli adapters, so their results count as self-reported.',
      helpValue: ADAPTER_KINDS.join('|'),
      default: 'ci' as const,
    }),
    approver: Flags.string({ description: 'Name of the first approver. [default: the current system user]', helpValue: 'ID' }),
    'secret-out': secretOut,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(GateInit);
    const kind: AdapterKind = flags.kind;
    const wishes = { folder: resolve(flags.dir ?? '.'), adapter: flags.adapter, kind, approver: flags.approver ?? systemName() };
    refuse(wishes);
    const [{ initGate }, { madeJson, madeText, nextCommands }, { newSecret, secretOutput }, { print, tell }] = await Promise.all([
      import('../../cli/init/init-gate.js'),
      import('../../cli/init/init-text.js'),
      import('../../cli/terminal/secret-output.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const elsewhere = flags['secret-out'] !== undefined;
    const write = secretOutput(flags['secret-out']);
    const secret = newSecret();
    await initGate(this.config, wishes, async (made) => {
      const next = nextCommands(made, elsewhere ? undefined : secret, process.cwd());
      if (flags.json) return write(`${JSON.stringify({ ...madeJson(made), next, secret })}\n`);
      tell(madeText(made));
      tell(`\nThe secret of the adapter ${made.entry.adapter_id} is not shown again. Run these commands next:`);
      if (elsewhere) await write(`${secret}\n`);
      await print(next.map((command) => `${command}\n`).join(''));
    });
  }
}

function refuse({ adapter, approver }: { adapter: string; approver: string }): void {
  if (!new RegExp(ADAPTER_ID_PATTERN).test(adapter) || adapter === 'dev-unauthenticated')
    throw new BylawError('usage', '--adapter must be a name of lower-case letters, digits, hyphens, and underscores.');
  if (!APPROVER.test(approver)) throw new BylawError('usage', '--approver must be a name of letters, digits, and the characters . _ @ -');
  if (process.env.SVC_CONFIG)
    throw new BylawError('usage', 'SVC_CONFIG names a configuration file, so other commands would not use the new one.', {
      hint: 'Unset SVC_CONFIG, and choose the folder with --dir.',
    });
}

/** The system user, if the name can be that of a file. */
function systemName(): string {
  try {
    const { username } = userInfo();
    return APPROVER.test(username) ? username : 'approver';
  } catch {
    return 'approver';
  }
}
