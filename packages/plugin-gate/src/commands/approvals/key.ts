import { Args, Command } from '@oclif/core';

export default class ApprovalsKey extends Command {
  static override summary = 'Create a key for an approver.';

  static override description =
    'Writes a new Ed25519 private key to a file that only its owner can read, and prints the entry for bylaw.yaml. Agents whose actions need an approval must not run as a user who can read this file.';

  static override examples = ['<%= config.bin %> approvals key carol.key'];

  static override args = { file: Args.string({ name: 'FILE', description: 'File to create for the private key.', required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ApprovalsKey);
    const [{ writeKeyFile }, { newKeyPem, signerFromPem }, { print }] = await Promise.all([
      import('../../cli/keys/key-file.js'),
      import('../../keys/index.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const pem = newKeyPem();
    await writeKeyFile(args.file, pem);
    const { publicKey } = signerFromPem(pem);
    await print(`approvers:\n  - id: NAME\n    public_key: ${publicKey}\n    groups: [GROUP]\n`);
  }
}
