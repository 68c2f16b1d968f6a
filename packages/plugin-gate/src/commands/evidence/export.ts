import { Command, Flags } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev } from '../../cli/terminal/input-flags.js';

export default class EvidenceExport extends Command {
  static override summary = 'Export records of the evidence chain.';

  static override description =
    'Reads the configured store directly, even while a server uses it, and exports any number of records. If you do not pass --type, ' +
    '`bylaw evidence verify` can verify the export in each of the three formats.';

  static override examples = [
    { description: 'Archive the whole chain', command: '<%= config.bin %> evidence export -o evidence.jsonl' },
    {
      description: 'Export verdicts for a spreadsheet',
      command: '<%= config.bin %> evidence export --type verdict --format csv -o verdicts.csv',
    },
    { description: 'Export assessment results', command: '<%= config.bin %> evidence export --format oscal -o results.oscal.json' },
  ];

  static override flags = {
    from: Flags.integer({ description: 'First record to export.', helpValue: 'SEQ', min: 0, default: 0 }),
    to: Flags.integer({ description: 'Last record to export. [default: the last record of the chain]', helpValue: 'SEQ', min: 0 }),
    type: Flags.string({
      description: 'Export only records of this type. Can be repeated.',
      multiple: true,
      options: ['genesis', 'proposal', 'verdict', 'approval', 'result', 'admin_action', 'key'],
    }),
    format: Flags.option({ description: 'Export format.', options: ['jsonl', 'csv', 'oscal'] as const, default: 'jsonl' })(),
    output: Flags.string({ char: 'o', description: 'File to write. [default: standard output]', helpValue: 'FILE' }),
    dev,
    config,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EvidenceExport);
    const [{ exportConfigured }, { RECORD_TYPES }] = await Promise.all([
      import('../../cli/evidence/export-evidence.js'),
      import('../../evidence/index.js'),
    ]);
    const { from, to, format, output } = flags;
    const types = flags.type && RECORD_TYPES.filter((type) => flags.type?.includes(type));
    await exportConfigured(await openGateWithStore(this.config, flags), { from, to, types, format, output });
  }
}
