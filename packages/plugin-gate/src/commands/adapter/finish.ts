import { Command } from '@oclif/core';
import { adapterId } from '../../cli/adapter-flags.js';
import { config, json } from '../../cli/input-flags.js';

export default class AdapterFinish extends Command {
  static override summary = 'Finish a rotation: the old secret of the adapter verifies no more.';

  static override description =
    'Takes the previous variable out of the configuration file, and records that in the evidence chain. The server must be started again.';

  static override examples = ['<%= config.bin %> adapter finish ci-main'];

  static override args = { id: adapterId };

  static override flags = { config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterFinish);
    const [{ changeAdapters }, { finishAdapter }, { summary }, { print, printJson }] = await Promise.all([
      import('../../cli/change-adapters.js'),
      import('../../cli/edit-adapters.js'),
      import('../../cli/new-secret.js'),
      import('../../cli/output.js'),
    ]);
    const edit = (text: string) => finishAdapter(text, args.id);
    const changed = await changeAdapters(this.config, flags, { action: 'adapter.finish', edit });
    if (flags.json) return printJson(summary(changed));
    await print(`The adapter ${args.id} has one secret, in ${changed.entry.secret_env}. Start the server again.\n`);
  }
}
