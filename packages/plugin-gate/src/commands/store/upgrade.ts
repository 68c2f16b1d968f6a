import { openInstallation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/plural';
import { Command, Flags } from '@oclif/core';
import { config, dsnEnv, json } from '../../cli/terminal/input-flags.js';

export default class StoreUpgrade extends Command {
  static override summary = 'Upgrade a PostgreSQL store to the format of this version.';

  static override description =
    'Run it as the owner of the tables, once before you replace the servers and once afterwards. The first run prepares the tables; servers of both ' +
    'versions can then work on them. When no server of the earlier version runs, the command marks the chain with signed records that list the ' +
    'faults before it, and the database refuses what the earlier version writes. Afterwards, apply the SQL of `store grants` again. ' +
    'Exits with 1 if servers of the earlier version still run. SQLite stores are upgraded when a server starts.';

  static override examples = [
    '<%= config.bin %> store upgrade --dsn-env OWNER_DSN',
    '<%= config.bin %> store upgrade --dsn-env OWNER_DSN --json',
  ];

  static override flags = {
    config,
    'dsn-env': dsnEnv,
    force: Flags.boolean({ description: 'Do not check whether servers of the earlier version run. They can no longer write afterwards.' }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreUpgrade);
    const [{ upgradeConfigured }, { print, printJson }] = await Promise.all([
      import('../../cli/store/operate-database.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const installation = await openInstallation(this.config, flags);
    const upgraded = await upgradeConfigured(installation, { dsnEnv: flags['dsn-env'], force: flags.force });
    if (upgraded.state === 'waiting') process.exitCode = 1;
    if (flags.json) return printJson(upgraded);
    if (upgraded.state === 'current') return print('The store already has the format of this version.\n');
    if (upgraded.state === 'waiting')
      return print(
        'The tables are prepared. Servers of the earlier version still run: ' +
          `${plural(upgraded.connections, 'connection')}${upgraded.replicas.length > 0 ? `, recent writes by ${upgraded.replicas.join(', ')}` : ''}.\n` +
          'Replace them, wait a minute, and run this command again.\n',
      );
    await print(
      `The chain is marked (${upgraded.seq.length === 0 ? 'it began with this format' : `record ${upgraded.seq.join(', ')}`}), ` +
        `and the mark lists ${plural(upgraded.faults, 'fault')}. Servers of the earlier version can no longer write.\n` +
        'Apply the SQL of `bylaw store grants` again.\n',
    );
  }
}
