import { openInstallation } from '@bylaw/core/installation';
import { Args, Command } from '@oclif/core';
import { config, dsnEnv } from '../../../cli/terminal/input-flags.js';

export default class StoreQuarantineShow extends Command {
  static override summary = 'Show one entry of the quarantine with its content.';

  static override description = 'Prints JSON. The content is unverified: someone may have changed it.';

  static override examples = ['<%= config.bin %> store quarantine show ob_01KAM2M1Q2V9S3W3F0Z3K8T5RD'];

  static override args = { ref: Args.string({ name: 'REF', description: 'Reference of the entry.', required: true }) };

  static override flags = { config, 'dsn-env': dsnEnv };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreQuarantineShow);
    const [{ readQuarantined }, { quarantinedJson }, { printJson }] = await Promise.all([
      import('../../../cli/store/operate-database.js'),
      import('../../../cli/store/quarantine-text.js'),
      import('../../../cli/terminal/output.js'),
    ]);
    const entry = await readQuarantined(await openInstallation(this.config, flags), flags['dsn-env'], args.ref);
    await printJson({ ...quarantinedJson(entry), content: entry.content });
  }
}
