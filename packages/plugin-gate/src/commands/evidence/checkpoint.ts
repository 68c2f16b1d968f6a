import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { config } from '../../cli/input-flags.js';

export default class EvidenceCheckpoint extends Command {
  static override summary = 'Sign a checkpoint of the evidence chain as it stands.';

  static override description =
    'Writes it into the folder of checkpoints and prints it. A checkpoint that is kept where nobody who runs the gate can change it shows ' +
    'later that records were rewritten or cut off.';

  static override examples = ['<%= config.bin %> evidence checkpoint'];

  static override flags = { config };

  async run(): Promise<void> {
    const { flags } = await this.parse(EvidenceCheckpoint);
    const [{ writeCheckpointNow }, { withStoreToRead }, { print, tell }] = await Promise.all([
      import('../../cli/checkpoint.js'),
      import('../../cli/read-store.js'),
      import('../../cli/output.js'),
    ]);
    const installation = await openInstallation(this.config, flags);
    const { path, note } = await withStoreToRead(installation, (store, settings) => writeCheckpointNow(installation, store, settings));
    tell(`Written to ${path}`);
    await print(note);
  }
}
