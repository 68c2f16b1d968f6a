import { openInstallation } from '@bylaw/core/installation';
import { Command } from '@oclif/core';
import { config, json } from '../../cli/terminal/input-flags.js';

export default class KeysInit extends Command {
  static override summary = 'Create the key that signs the evidence, and start the chain.';

  static override description =
    'Writes the key to the file in `signing.key_file` (mode 0600), records the start of the chain, and prints the public key that ' +
    'verifiers need. Give it to them through a channel that the operators of the gate cannot change later.';

  static override examples = ['<%= config.bin %> keys init'];

  static override flags = { config, json };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysInit);
    const [{ initKey }, { verifierKeyText }, { print, printJson, tell }] = await Promise.all([
      import('../../cli/keys/change-keys.js'),
      import('../../evidence/index.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { path, key } = await initKey(await openInstallation(this.config, flags));
    if (flags.json) return printJson({ key_file: path, verifier_key: verifierKeyText(key) });
    tell(`The key is at ${path}. Verifiers need this public key:`);
    await print(`${verifierKeyText(key)}\n`);
  }
}
