import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { config, json } from '../../cli/terminal/input-flags.js';

export default class AdapterList extends Command {
  static override summary = 'List the adapters, and whether their secret variables are set and long enough.';

  static override description =
    'Reads the environment of this command, which may differ from the environment of the server. Never shows a secret.';

  static override examples = ['<%= config.bin %> adapter list', '<%= config.bin %> adapter list --json'];

  static override flags = { config, json };

  async run(): Promise<void> {
    const { flags } = await this.parse(AdapterList);
    const [{ adapterRegistry }, { gateConfigOf }, { adapterJson, adapterTable }, { print, printJson }] = await Promise.all([
      import('../../auth/index.js'),
      import('../../config/index.js'),
      import('../../cli/adapters/adapter-table.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { loaded } = await openInstallation(this.config, flags);
    const { adapters } = adapterRegistry(gateConfigOf(loaded.config).adapters, process.env);
    if (flags.json) return printJson(adapters.map(adapterJson));
    await print(adapters.length > 0 ? adapterTable(adapters) : 'No adapters are registered.\n');
  }
}
