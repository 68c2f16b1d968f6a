import { openInstallation } from '@bylaw/core/installation';
import { Args, Command } from '@oclif/core';
import { config, dsnEnv } from '../../../cli/terminal/input-flags.js';

export default class StoreQuarantineRelease extends Command {
  static override summary = 'Release an entry whose content matches its signature again.';

  static override description =
    'Use it after you have restored the content of the row, for example from a backup. The next sequencer numbers the entry. If the content still does ' +
    'not match its signature, the command exits with 4 and changes nothing.';

  static override examples = ['<%= config.bin %> store quarantine release ob_01KAM2M1Q2V9S3W3F0Z3K8T5RD'];

  static override args = { ref: Args.string({ name: 'REF', description: 'Reference of the entry.', required: true }) };

  static override flags = { config, 'dsn-env': dsnEnv };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreQuarantineRelease);
    const [{ releaseQuarantined }, { print }] = await Promise.all([
      import('../../../cli/store/operate-database.js'),
      import('../../../cli/terminal/output.js'),
    ]);
    await releaseQuarantined(await openInstallation(this.config, flags), flags['dsn-env'], args.ref);
    await print(`Released ${args.ref}.\n`);
  }
}
