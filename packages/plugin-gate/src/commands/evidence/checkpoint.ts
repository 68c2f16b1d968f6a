import { Command } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev } from '../../cli/terminal/input-flags.js';

export default class EvidenceCheckpoint extends Command {
  static override summary = 'Sign a checkpoint of the current evidence chain.';

  static override description =
    'Writes the checkpoint to the checkpoint folder and prints it. Keep a copy where nobody who operates the gate can change it: ' +
    'the copy later shows whether records were rewritten or removed.';

  static override examples = ['<%= config.bin %> evidence checkpoint'];

  static override flags = { dev, config };

  async run(): Promise<void> {
    const { flags } = await this.parse(EvidenceCheckpoint);
    const [{ writeCheckpointNow }, { withStoreToRead }, { print, tell }] = await Promise.all([
      import('../../cli/evidence/checkpoint.js'),
      import('../../cli/open/read-store.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const installation = await openGateWithStore(this.config, flags);
    const { path, note } = await withStoreToRead(installation, (store, settings) => writeCheckpointNow(installation, store, settings));
    tell(`Written to ${path}`);
    await print(note);
  }
}
