import { Command } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, json, reason, recordSeq } from '../../cli/terminal/input-flags.js';

export default class EvidenceErase extends Command {
  static override summary = 'Permanently erase the data of one record.';

  static override description =
    'Use it for a secret that was recorded, or for a person who must be forgotten. The header, hash, and signature of the record stay, so the ' +
    'chain still verifies. The chain records who erased the data and why. Genesis and key records, records of erasures, and format marks cannot ' +
    'be erased. Earlier exports and backups still contain the data.';

  static override examples = ['<%= config.bin %> evidence erase 42 --reason "a password in the justification, ticket 4711"'];

  static override args = { seq: recordSeq };

  static override flags = { reason, dev, config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EvidenceErase);
    const [{ eraseRecord }, { print, printJson }] = await Promise.all([
      import('../../cli/evidence/erase-record.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const recorded = await eraseRecord(await openGateWithStore(this.config, flags), args.seq, flags.reason);
    if (flags.json) return printJson({ erased: args.seq, evidence_ref: recorded.ref });
    await print(`Record ${args.seq} is erased. The erasure is recorded as ${recorded.ref}.\n`);
  }
}
