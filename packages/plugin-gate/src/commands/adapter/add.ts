import { Command, Flags } from '@oclif/core';
import { adapterId, secretOut } from '../../cli/adapter-flags.js';
import { config, json } from '../../cli/input-flags.js';
import { ADAPTER_KINDS, type AdapterKind } from '../../config/gate-config.js';

export default class AdapterAdd extends Command {
  static override summary = 'Register an adapter, and show its secret once.';

  static override description =
    'Writes the adapter into the configuration file, records that in the evidence chain, and prints a new secret on standard output: it is stored nowhere. The file names only the variable that is to hold it. The server knows the adapter when it is started again.';

  static override examples = [
    '<%= config.bin %> adapter add ci-main --kind ci',
    {
      description: 'Pass the secret on without showing it',
      command: '<%= config.bin %> adapter add ci-main --kind ci | vault kv put secret/gate value=-',
    },
  ];

  static override args = { id: adapterId };

  static override flags = {
    kind: Flags.option({ options: ADAPTER_KINDS })({
      description: 'Where the adapter runs. Of sdk and cli, which an agent can go around, results are its own testimony.',
      helpValue: ADAPTER_KINDS.join('|'),
      required: true,
    }),
    enforcement: Flags.option({ options: ['enforcing', 'advisory'] as const })({
      description: 'The most that its proposals may claim; otherwise what its kind allows.',
      helpValue: 'enforcing|advisory',
    }),
    'secret-env': Flags.string({ description: 'Variable of the secret. [default: SVC_ADAPTER_SECRET_<ID>]', helpValue: 'NAME' }),
    'secret-out': secretOut,
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterAdd);
    const [{ withNewSecret }, { addAdapter }] = await Promise.all([
      import('../../cli/new-secret.js'),
      import('../../cli/edit-adapters.js'),
    ]);
    const kind: AdapterKind = flags.kind;
    const added = {
      adapter_id: args.id,
      kind,
      ...(flags.enforcement && { enforcement: flags.enforcement }),
      ...(flags['secret-env'] !== undefined && { secret_env: flags['secret-env'] }),
    };
    await withNewSecret(this.config, flags, { action: 'adapter.add', edit: (text) => addAdapter(text, added) });
  }
}
