import { Args, Command } from '@oclif/core';

export default class ApprovalsKey extends Command {
  static override summary = 'Make a key for an approver.';

  static override description =
    'Writes a new Ed25519 private key to a file that only its owner can read, and prints what bylaw.yaml needs of it. The agents whose actions are approved must not run as a user who can read it.';

  static override examples = ['<%= config.bin %> approvals key carol.key'];

  static override args = { file: Args.string({ name: 'FILE', description: 'New file for the private key.', required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ApprovalsKey);
    const [{ writeKeyFile }, { newKeyPem, signerFromPem }, { print }] = await Promise.all([
      import('../../cli/key-file.js'),
      import('../../keys/index.js'),
      import('../../cli/output.js'),
    ]);
    const pem = newKeyPem();
    await writeKeyFile(args.file, pem);
    const { publicKey } = signerFromPem(pem);
    await print(`approvers:\n  - id: NAME\n    public_key: ${publicKey}\n    groups: [GROUP]\n`);
  }
}
