import { Command } from '@oclif/core';
import { adapterId, config, json } from '../../cli/terminal/input-flags.js';

export default class AdapterRemove extends Command {
  static override summary = 'Remove an adapter: its secrets stop working.';

  static override description =
    'Removes the adapter from the configuration file, and records the change in the evidence chain. Running servers refuse the adapter within a second. Everything that the adapter submitted stays in the chain.';

  static override examples = ['<%= config.bin %> adapter remove ci-main'];

  static override args = { id: adapterId };

  static override flags = { config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterRemove);
    const [{ changeAdapters }, { removeAdapter }, { summary }, { print, printJson }] = await Promise.all([
      import('../../cli/adapters/change-adapters.js'),
      import('../../cli/adapters/edit-adapters.js'),
      import('../../cli/adapters/new-secret.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const edit = (text: string) => removeAdapter(text, args.id);
    const changed = await changeAdapters(this.config, flags, { action: 'adapter.remove', edit });
    if (flags.json) return printJson(summary(changed));
    await print(`Adapter ${args.id} has been removed. Running servers refuse it within a second.\n`);
  }
}
