import { Command } from '@oclif/core';
import { adapterId, config, json, secretOut } from '../../cli/terminal/input-flags.js';

export default class AdapterRotate extends Command {
  static override summary = 'Give an adapter a new secret; the old one works until the rotation is finished.';

  static override description =
    'Adds a new secret variable to the configuration file, keeps the old one as the previous variable, records the change in the evidence chain, and prints the new secret once on standard output. A server reads secrets only when it starts: set the new variable and restart the server before you finish the rotation.';

  static override examples = ['<%= config.bin %> adapter rotate ci-main'];

  static override args = { id: adapterId };

  static override flags = { 'secret-out': secretOut, config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AdapterRotate);
    const [{ withNewSecret }, { rotateAdapter }] = await Promise.all([
      import('../../cli/adapters/new-secret.js'),
      import('../../cli/adapters/edit-adapters.js'),
    ]);
    await withNewSecret(this.config, flags, { action: 'adapter.rotate', edit: (text) => rotateAdapter(text, args.id) });
  }
}
