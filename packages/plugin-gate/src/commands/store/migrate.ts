import { openInstallation } from '@bylaw/core/installation';
import { plural } from '@bylaw/core/plural';
import { Command, Flags } from '@oclif/core';
import { config, json } from '../../cli/input-flags.js';

export default class StoreMigrate extends Command {
  static override summary = 'Copy the evidence chain from the embedded store into a PostgreSQL database.';

  static override description =
    'Copies all records byte for byte with their numbers, the identifiers that are used up, results and approvals; then the chain goes on in ' +
    'the database, beginning with a record that says so. References that were given stay good. The database must have no chain yet, and no ' +
    'server may have the store open. Afterwards the file has another name, so that nothing goes on with it: set store.kind to postgres, and ' +
    'start the servers. Exits with 4 when it cannot be done; then nothing has changed.';

  static override examples = [
    '<%= config.bin %> store migrate --from sqlite --to postgres --dsn-env SVC_STORE_DSN',
    '<%= config.bin %> store migrate --from sqlite --to postgres --path .bylaw/gate.sqlite --json',
  ];

  static override flags = {
    config,
    from: Flags.string({ description: 'The store that is copied.', options: ['sqlite'], required: true }),
    to: Flags.string({ description: 'The store that it is copied into.', options: ['postgres'], required: true }),
    path: Flags.string({ description: 'File of the embedded store; otherwise the configured one.', helpValue: 'FILE' }),
    'dsn-env': Flags.string({
      description: 'Variable that holds the connection string; otherwise `store.dsn_env` of the configuration.',
      helpValue: 'NAME',
    }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreMigrate);
    const installation = await openInstallation(this.config, flags);
    const { migrateConfigured } = await import('../../cli/migrate-configured.js');
    const { print, printJson } = await import('../../cli/output.js');
    const migrated = await migrateConfigured(installation, { path: flags.path, dsnEnv: flags['dsn-env'] });
    if (flags.json) return printJson(migrated);
    const { chainId, records, proposals, seq, keptAs, dsnEnv } = migrated;
    await print(
      `Copied ${plural(records, 'record')} and ${plural(proposals, 'used identifier')} of chain ${chainId}.\n` +
        `Record ${seq} of the database says so. The file is now ${keptAs}.\n` +
        `Set store.kind to postgres and store.dsn_env to ${dsnEnv}, and start the servers.\n`,
    );
  }
}
