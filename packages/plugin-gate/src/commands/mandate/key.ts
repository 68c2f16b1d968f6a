import { Args, Command, Flags } from '@oclif/core';

export default class MandateKey extends Command {
  static override summary = 'Create a key that signs mandates.';

  static override description =
    'Writes a new Ed25519 private key to a file that only its owner can read, and prints the entry for `trust/issuers.yaml` of the policy bundle. Agents must not run as a user who can read this file.';

  static override examples = ['<%= config.bin %> mandate key issuer.key --issuer acme-platform'];

  static override args = { file: Args.string({ name: 'FILE', description: 'File to create for the private key.', required: true }) };

  static override flags = {
    issuer: Flags.string({ description: 'Name of the issuer.', default: 'NAME', helpValue: 'NAME' }),
    'key-id': Flags.string({ description: 'ID of the key in the bundle. [default: derived from the key]', helpValue: 'ID' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MandateKey);
    const [{ writeKeyFile }, { newKeyPem, signerFromPem }, { issuerEntry }, { print }] = await Promise.all([
      import('../../cli/keys/key-file.js'),
      import('../../keys/index.js'),
      import('../../cli/mandates/mandate-text.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const pem = newKeyPem();
    await writeKeyFile(args.file, pem);
    const { keyId, publicKey } = signerFromPem(pem);
    await print(issuerEntry(flags.issuer, flags['key-id'] ?? keyId, publicKey));
  }
}
