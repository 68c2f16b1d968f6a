import { Args, Command, Flags } from '@oclif/core';

export default class StoreGrants extends Command {
  static override summary = 'Print the SQL that grants a PostgreSQL role the rights it needs.';

  static override description =
    'Run the SQL as the owner of the schema, after a server or `store migrate` has created the schema. Servers run as a role that can add to the chain, but cannot change or delete a record. With --operator, the role can also erase the data of a record.';

  static override examples = ['<%= config.bin %> store grants bylaw_service | psql "$OWNER_DSN"'];

  static override args = { role: Args.string({ name: 'ROLE', description: 'Name of an existing role.', required: true }) };

  static override flags = { operator: Flags.boolean({ description: 'Also grant the rights to erase data.' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreGrants);
    const [{ grantsFor }, { print }] = await Promise.all([import('../../store/postgres/index.js'), import('../../cli/terminal/output.js')]);
    await print(`${grantsFor(args.role, flags.operator ? 'operator' : 'service')}\n`);
  }
}
