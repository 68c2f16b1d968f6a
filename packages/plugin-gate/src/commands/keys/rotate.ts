import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { config, json } from '../../cli/input-flags.js';

export default class KeysRotate extends Command {
  static override summary = 'Give the evidence chain a new signing key.';

  static override description =
    'Records the rotation, signed by the old key and by the new one, and puts the new key in the place of the old one. Whoever verifies ' +
    'with an earlier public key of the chain need not change anything. A server that runs stops recording, and must be started again. ' +
    'A rotation that was interrupted is finished by running the command again.';

  static override examples = ['<%= config.bin %> keys rotate --reason "yearly"'];

  static override flags = {
    reason: Flags.string({ description: 'Why; it is recorded.', helpValue: 'TEXT', default: 'rotation' }),
    out: Flags.string({
      description: 'File for the new key, where a variable holds the key that is in force; the old one stays as it is.',
      helpValue: 'FILE',
    }),
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysRotate);
    const [{ rotateKey }, { verifierKeyText }, { print, printJson, tell }] = await Promise.all([
      import('../../cli/change-keys.js'),
      import('../../evidence/index.js'),
      import('../../cli/output.js'),
    ]);
    const { path, key, recorded } = await rotateKey(await openInstallation(this.config, flags), flags);
    if (flags.json) return printJson({ key_file: path, verifier_key: verifierKeyText(key), evidence_ref: recorded?.ref ?? null });
    if (recorded === undefined) tell('A rotation that was interrupted is finished.');
    tell(`The new key is at ${path}. Start servers again. Its public key:`);
    await print(`${verifierKeyText(key)}\n`);
  }
}
