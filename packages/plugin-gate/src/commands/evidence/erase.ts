import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { reason, recordSeq } from '../../cli/evidence-flags.js';
import { config, json } from '../../cli/input-flags.js';

export default class EvidenceErase extends Command {
  static override summary = 'Take the data out of one record, for good.';

  static override description =
    'For a secret that was recorded, or a person who must be forgotten. Header, hash and signature of the record stay, so the chain ' +
    'verifies as before; who erased it and why is recorded. Exports and backups that were made before still have the data.';

  static override examples = ['<%= config.bin %> evidence erase 42 --reason "a password in the justification, ticket 4711"'];

  static override args = { seq: recordSeq };

  static override flags = { reason, config, json };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EvidenceErase);
    const [{ eraseRecord }, { print, printJson }] = await Promise.all([import('../../cli/erase-record.js'), import('../../cli/output.js')]);
    const recorded = await eraseRecord(await openInstallation(this.config, flags), args.seq, flags.reason);
    if (flags.json) return printJson({ erased: args.seq, evidence_ref: recorded.ref });
    await print(`Record ${args.seq} is erased; ${recorded.ref} says so.\n`);
  }
}
