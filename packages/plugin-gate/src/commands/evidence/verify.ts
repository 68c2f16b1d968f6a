import { Args, Command, Flags } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, json } from '../../cli/terminal/input-flags.js';

export default class EvidenceVerify extends Command {
  static override summary = 'Verify exported evidence with a public key.';

  static override description =
    `Needs no configuration, network, or store, unless you pass --dev: then the key is the one of the dev store, and development keys are accepted. Checks the numbers, hashes, links, and signatures of all records, the keys of the chain, the references between records, and the record tree against checkpoints that you kept elsewhere. Several files are treated as one range, in the order given.

A record that was erased without a later record that says so fails if the range reaches a checkpoint, or the last record that an OSCAL export states. Otherwise it is a warning, because the explanation may be after the range. Faults that the format mark of the chain lists are reported and do not fail.

Exits with 0 if the evidence verifies, with 1 if it does not, if the range does not reach a checkpoint and --partial is not set, or if --require-anchor is set and no checkpoint anchors the range, and with 2 if the files cannot be used.`;

  static override examples = [
    "<%= config.bin %> evidence verify evidence.jsonl --key 'svc.example/…+1f2e3d4c+AQ…'",
    '<%= config.bin %> evidence verify evidence.jsonl --dev',
    '<%= config.bin %> evidence verify part-1.csv part-2.csv --key "$VKEY" --checkpoint kept/0000000000004711.checkpoint --require-anchor',
  ];

  static override strict = false;

  static override args = { file: Args.string({ name: 'FILE', description: 'Evidence export (jsonl, csv, or OSCAL).', required: true }) };

  static override flags = {
    key: Flags.string({
      description: 'Trusted public key, as printed by `bylaw keys list`.',
      helpValue: 'VKEY',
      exactlyOne: ['key', 'dev'],
    }),
    checkpoint: Flags.string({
      description: 'Checkpoint or proof that you kept elsewhere. Can be repeated.',
      helpValue: 'NOTE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'require-anchor': Flags.boolean({ description: 'Fail unless a checkpoint or proof reaches the range.' }),
    partial: Flags.boolean({ description: 'Accept a part of the chain that does not reach every checkpoint.' }),
    approvers: Flags.string({
      description:
        'List of approvers (YAML or JSON, as in the configuration). Every decision on an approval must be signed by one of them, for groups that the list gives them.',
      helpValue: 'FILE',
    }),
    'allow-dev': Flags.boolean({ description: 'Accept evidence signed with development keys.' }),
    threads: Flags.integer({
      helpValue: 'N',
      description: 'Number of threads that check signatures. The report does not depend on it. [default: one for each processor]',
      min: 0,
      max: 256,
    }),
    dev,
    config,
    json,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EvidenceVerify);
    const [{ reportText, verifyFiles }, { currentVerifierKey }, { print, printJson }] = await Promise.all([
      import('../../cli/evidence/verify-files.js'),
      import('../../cli/open/read-store.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const report = await verifyFiles(argv.map(String), {
      ...flags,
      key: flags.key ?? (await currentVerifierKey(await openGateWithStore(this.config, flags))),
      'allow-dev': flags['allow-dev'] || flags.dev,
    });
    process.exitCode = report.exit;
    await (flags.json ? printJson(report) : print(reportText(report)));
  }
}
