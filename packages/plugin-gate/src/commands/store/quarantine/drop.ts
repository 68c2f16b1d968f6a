import { openInstallation } from '@bylaw/core/installation';
import { Args, Command } from '@oclif/core';
import { config, dsnEnv, reason } from '../../../cli/terminal/input-flags.js';

export default class StoreQuarantineDrop extends Command {
  static override summary = 'Record that an entry is lost, so that the gate can continue.';

  static override description =
    'The chain records who dropped the entry and why. Nobody can number the entry afterwards; its id stays used. Verifiers accept the gap ' +
    'that the record names.';

  static override examples = [
    '<%= config.bin %> store quarantine drop ob_01KAM2M1Q2V9S3W3F0Z3K8T5RD --reason "altered in the database, incident 12"',
  ];

  static override args = { ref: Args.string({ name: 'REF', description: 'Reference of the entry.', required: true }) };

  static override flags = { reason, config, 'dsn-env': dsnEnv };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreQuarantineDrop);
    const [{ dropQuarantined }, { print }] = await Promise.all([
      import('../../../cli/store/operate-database.js'),
      import('../../../cli/terminal/output.js'),
    ]);
    const recorded = await dropQuarantined(await openInstallation(this.config, flags), flags['dsn-env'], args.ref, flags.reason);
    await print(`Dropped ${args.ref}. This is recorded as evidence ${recorded.ref}.\n`);
  }
}
