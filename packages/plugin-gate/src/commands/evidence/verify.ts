import { Args, Command, Flags } from '@oclif/core';
import { json } from '../../cli/input-flags.js';

export default class EvidenceVerify extends Command {
  static override summary = 'Verify exported evidence with a public key.';

  static override description =
    `Needs no configuration, no network and no store. Checks numbers, hashes, links and signatures of all records, the keys of the chain, what records say of each other, and the tree over them against checkpoints that were kept elsewhere. Several files are taken as one range, in the order given.

Exits with 0 when all is as it was recorded, with 1 when something is not, or with --require-anchor when no checkpoint reaches the range, and with 2 when the files cannot be used.`;

  static override examples = [
    "<%= config.bin %> evidence verify evidence.jsonl --key 'svc.example/…+1f2e3d4c+AQ…'",
    '<%= config.bin %> evidence verify part-1.csv part-2.csv --key "$VKEY" --checkpoint kept/0000000000004711.checkpoint --require-anchor',
  ];

  static override strict = false;

  static override args = { file: Args.string({ name: 'FILE', description: 'Export as jsonl, csv or OSCAL.', required: true }) };

  static override flags = {
    key: Flags.string({ description: 'Public key that is trusted, as `bylaw keys list` prints it.', helpValue: 'VKEY', required: true }),
    checkpoint: Flags.string({
      description: 'Checkpoint or proof that was kept elsewhere; may be given several times.',
      helpValue: 'NOTE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'require-anchor': Flags.boolean({ description: 'Fail unless a checkpoint or proof reaches the range.' }),
    'allow-dev': Flags.boolean({ description: 'Accept evidence of development keys.' }),
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EvidenceVerify);
    const [{ reportText, verifyFiles }, { print, printJson }] = await Promise.all([
      import('../../cli/verify-files.js'),
      import('../../cli/output.js'),
    ]);
    const report = await verifyFiles(argv.map(String), flags);
    process.exitCode = report.exit;
    await (flags.json ? printJson(report) : print(reportText(report)));
  }
}
