import { Args, Command, Flags } from '@oclif/core';

export default class StoreGrants extends Command {
  static override summary = 'Print the rights that a PostgreSQL role needs, as SQL.';

  static override description =
    'To be run by the owner of the schema, once a server or `store migrate` has made it. Servers run as a role that adds to the chain and can neither change nor delete a record; with --operator the role can also erase the data of a record.';

  static override examples = ['<%= config.bin %> store grants bylaw_service | psql "$OWNER_DSN"'];

  static override args = { role: Args.string({ name: 'ROLE', description: 'Name of a role that exists.', required: true }) };

  static override flags = { operator: Flags.boolean({ description: 'The rights to erase, besides.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreGrants);
    const [{ grantsFor }, { print }] = await Promise.all([import('../../store/postgres/index.js'), import('../../cli/output.js')]);
    await print(`${grantsFor(args.role, flags.operator ? 'operator' : 'service')}\n`);
  }
}
