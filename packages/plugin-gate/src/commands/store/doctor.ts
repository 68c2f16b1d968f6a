import { Command, Flags } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, json } from '../../cli/terminal/input-flags.js';

export default class StoreDoctor extends Command {
  static override summary = 'Check the integrity of the evidence store.';

  static override description =
    'Reads the whole store and changes nothing; a server may keep writing. Checks the files and the disk, the database pages, tables, and ' +
    'triggers, the numbers, links, hashes, and signatures of all records, the head and its tree, the used identifiers, whether the tables match ' +
    'the records, and the newest checkpoint. In a PostgreSQL store, it also checks the entries of the outbox, and no files or pages. Exits with 1 ' +
    'if something is wrong, and with 4 if the store cannot be opened.';

  static override examples = ['<%= config.bin %> store doctor', '<%= config.bin %> store doctor --fast --json'];

  static override flags = {
    dev,
    config,
    fast: Flags.boolean({ description: 'Skip the signatures, which take most of the time.' }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreDoctor);
    const { gateConfigOf } = await import('../../config/index.js');
    const { inspectConfigured } = await import('../../cli/store/inspect-configured.js');
    const { print, printJson } = await import('../../cli/terminal/output.js');
    const { loaded } = await openGateWithStore(this.config, flags);
    const { path, checks } = await inspectConfigured(gateConfigOf(loaded.config), loaded.base, flags.fast);
    const ok = checks.every((check) => check.ok);
    if (!ok) process.exitCode = 1;
    if (flags.json) return printJson({ path, ok, checks });
    const { doctorText } = await import('../../cli/store/doctor-text.js');
    await print(doctorText(path, checks));
  }
}
