import { Command, Flags } from '@oclif/core';
import { adapterId, config, json, secretOut } from '../../cli/terminal/input-flags.js';
import { ADAPTER_KINDS, type AdapterKind } from '../../config/gate-config.js';

export default class AdapterAdd extends Command {
  static override summary = 'Register an adapter and show its secret once.';

  static override description =
    'Adds the adapter to the configuration file, records the change in the evidence chain, and prints a new secret on standard output. The secret is not stored anywhere; the file contains only the name of the variable that must hold it. Set the variable and restart the server to load the adapter: a server reads secrets only when it starts.';

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
      description: 'Where the adapter runs. An agent can bypass sdk and cli adapters, so their results count as self-reported.',
      helpValue: ADAPTER_KINDS.join('|'),
      required: true,
    }),
    enforcement: Flags.option({ options: ['enforcing', 'advisory'] as const })({
      description: 'Strongest enforcement that its proposals may claim. [default: what its kind allows]',
      helpValue: 'enforcing|advisory',
    }),
    'secret-env': Flags.string({
      description: 'Environment variable of the secret. [default: SVC_ADAPTER_SECRET_<ID>]',
      helpValue: 'NAME',
    }),
    'secret-out': secretOut,
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterAdd);
    const [{ withNewSecret }, { addAdapter }] = await Promise.all([
      import('../../cli/adapters/new-secret.js'),
      import('../../cli/adapters/edit-adapters.js'),
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
