import { Command } from '@oclif/core';
import { adapterId, config, json } from '../../cli/terminal/input-flags.js';

export default class AdapterFinish extends Command {
  static override summary = 'Finish a rotation: the old secret of the adapter stops working.';

  static override description =
    'Removes the previous variable from the configuration file, and records the change in the evidence chain. Running servers stop accepting the old secret within a second. A server reads secrets only when it starts: if no server has started with the new secret, the command prints a warning, because the adapter cannot authenticate until you restart the server with the new variable set.';

  static override examples = ['<%= config.bin %> adapter finish ci-main'];

  static override args = { id: adapterId };

  static override flags = { config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterFinish);
    const [{ changeAdapters }, { finishAdapter }, { summary }, { print, printJson }] = await Promise.all([
      import('../../cli/adapters/change-adapters.js'),
      import('../../cli/adapters/edit-adapters.js'),
      import('../../cli/adapters/new-secret.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const edit = (text: string) => finishAdapter(text, args.id);
    const changed = await changeAdapters(this.config, flags, { action: 'adapter.finish', edit });
    if (flags.json) return printJson(summary(changed));
    await print(
      `Adapter ${args.id} now has one secret, in ${changed.entry.secret_env}. Running servers stop accepting the old one within a second.\n`,
    );
    if (changed.warning === undefined) return;
    const remedy = `Set ${changed.entry.secret_env} and restart the server: until then, adapter ${args.id} cannot authenticate.`;
    process.stderr.write(`warning: ${changed.warning} ${remedy}\n`);
  }
}
