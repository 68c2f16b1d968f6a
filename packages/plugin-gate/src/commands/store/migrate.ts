import { openInstallation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/plural';
import { Command, Flags } from '@oclif/core';
import { config, json } from '../../cli/terminal/input-flags.js';

export default class StoreMigrate extends Command {
  static override summary = 'Copy the evidence chain from the embedded store to a PostgreSQL database.';

  static override description =
    'Copies all records byte for byte with their numbers, and the used identifiers, results, and approvals. The chain then continues in ' +
    'the database, starting with a record of the migration. Existing references stay valid. The database must not contain a chain, and no ' +
    'server may have the store open. Afterwards, the file is renamed so that nothing continues to write to it: set store.kind to postgres, and ' +
    'start the servers. Exits with 4 if the migration fails; in that case, nothing has changed.';

  static override examples = [
    '<%= config.bin %> store migrate --from sqlite --to postgres --dsn-env SVC_STORE_DSN',
    '<%= config.bin %> store migrate --from sqlite --to postgres --path .bylaw/gate.sqlite --json',
  ];

  static override flags = {
    config,
    from: Flags.string({ description: 'Store to copy from.', options: ['sqlite'], required: true }),
    to: Flags.string({ description: 'Store to copy to.', options: ['postgres'], required: true }),
    path: Flags.string({ description: 'File of the embedded store. [default: the configured file]', helpValue: 'FILE' }),
    'dsn-env': Flags.string({
      description: 'Environment variable that holds the connection string. [default: `store.dsn_env` of the configuration]',
      helpValue: 'NAME',
    }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreMigrate);
    const installation = await openInstallation(this.config, flags);
    const { migrateConfigured } = await import('../../cli/store/migrate-configured.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const migrated = await migrateConfigured(installation, { path: flags.path, dsnEnv: flags['dsn-env'] });
    if (flags.json) return printJson(migrated);
    const { chainId, records, proposals, seq, keptAs, dsnEnv } = migrated;
    await print(
      `Copied ${plural(records, 'record')} and ${plural(proposals, 'used identifier')} of chain ${chainId}.\n` +
        `The migration is recorded as record ${seq}. The file is now ${keptAs}.\n` +
        `Set store.kind to postgres and store.dsn_env to ${dsnEnv}, and start the servers.\n`,
    );
  }
}
