import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { config, dsnEnv, json } from '../../../cli/terminal/input-flags.js';

export default class StoreQuarantineList extends Command {
  static override summary = 'List entries that the store did not number.';

  static override description =
    'Lists entries of a PostgreSQL store whose content does not match its signature, and entries that are missing. The gate records nothing ' +
    'until each open entry is released or dropped. Exits with 1 if there are open entries.';

  static override examples = ['<%= config.bin %> store quarantine list', '<%= config.bin %> store quarantine list --json'];

  static override flags = { config, 'dsn-env': dsnEnv, json };

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreQuarantineList);
    const [{ readQuarantine }, { quarantinedJson, quarantineLines }, { print, printJson }] = await Promise.all([
      import('../../../cli/store/operate-database.js'),
      import('../../../cli/store/quarantine-text.js'),
      import('../../../cli/terminal/output.js'),
    ]);
    const entries = await readQuarantine(await openInstallation(this.config, flags), flags['dsn-env']);
    if (entries.some(({ state }) => state === 'open')) process.exitCode = 1;
    if (flags.json) await printJson({ entries: entries.map(quarantinedJson) });
    else await print(quarantineLines(entries));
  }
}
