import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { config } from '../../cli/input-flags.js';

export default class EvidenceExport extends Command {
  static override summary = 'Export records of the evidence chain.';

  static override description =
    'Reads the configured store itself, beside a server, and exports any number of records. A range without --type can be verified by ' +
    '`bylaw evidence verify`, in each of the three formats.';

  static override examples = [
    { description: 'The whole chain, to be kept', command: '<%= config.bin %> evidence export -o evidence.jsonl' },
    { description: 'Verdicts for a spreadsheet', command: '<%= config.bin %> evidence export --type verdict --format csv -o verdicts.csv' },
    { description: 'Assessment results', command: '<%= config.bin %> evidence export --format oscal -o results.oscal.json' },
  ];

  static override flags = {
    from: Flags.integer({ description: 'First record.', helpValue: 'SEQ', min: 0, default: 0 }),
    to: Flags.integer({ description: 'Last record; otherwise the last of the chain.', helpValue: 'SEQ', min: 0 }),
    type: Flags.string({
      description: 'Only records of this type; may be given several times.',
      multiple: true,
      options: ['genesis', 'proposal', 'verdict', 'approval', 'result', 'admin_action', 'key'],
    }),
    format: Flags.option({ description: 'Format of the export.', options: ['jsonl', 'csv', 'oscal'] as const, default: 'jsonl' })(),
    output: Flags.string({ char: 'o', description: 'File to write; otherwise standard output.', helpValue: 'FILE' }),
    config,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EvidenceExport);
    const [{ exportConfigured }, { RECORD_TYPES }] = await Promise.all([
      import('../../cli/export-evidence.js'),
      import('../../evidence/index.js'),
    ]);
    const { from, to, format, output } = flags;
    const types = flags.type && RECORD_TYPES.filter((type) => flags.type?.includes(type));
    await exportConfigured(await openInstallation(this.config, flags), { from, to, types, format, output });
  }
}
