import { Command, Flags } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, recordSeq } from '../../cli/terminal/input-flags.js';

export default class EvidenceShow extends Command {
  static override summary = 'Print one record of the evidence chain, or the proof that the chain contains it.';

  static override description =
    'Prints the record as one line of JSON. With --proof, prints a transparency log proof (c2sp.org/tlog-proof@v1): the record, its ' +
    'position, the hashes that lead to the root, and the newest checkpoint. If that checkpoint does not cover the record, a new one is ' +
    'signed. With the proof, `bylaw evidence verify` can anchor the record without the rest of the chain.';

  static override examples = ['<%= config.bin %> evidence show 42', '<%= config.bin %> evidence show 42 --proof > 42.tlog-proof'];

  static override args = { seq: recordSeq };

  static override flags = { proof: Flags.boolean({ description: 'Print the proof, including the record.' }), dev, config };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EvidenceShow);
    const [{ showRecord }, { print }] = await Promise.all([
      import('../../cli/evidence/show-record.js'),
      import('../../cli/terminal/output.js'),
    ]);
    await print(await showRecord(await openGateWithStore(this.config, flags), args.seq, flags.proof));
  }
}
