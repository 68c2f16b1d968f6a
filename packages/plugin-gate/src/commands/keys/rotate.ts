import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { config, json } from '../../cli/terminal/input-flags.js';

export default class KeysRotate extends Command {
  static override summary = 'Give the evidence chain a new signing key.';

  static override description =
    'Records the rotation, signed with both keys, and replaces the old key with the new one. Verifiers who have an earlier public key of ' +
    'the chain do not need to change anything. A running server stops recording, and must be restarted. ' +
    'If a rotation was interrupted, run the command again to finish it.';

  static override examples = ['<%= config.bin %> keys rotate --reason "yearly"'];

  static override flags = {
    reason: Flags.string({ description: 'Reason to record.', helpValue: 'TEXT', default: 'rotation' }),
    out: Flags.string({
      description: 'File for the new key. Required if the active key is in an environment variable, which is not changed.',
      helpValue: 'FILE',
    }),
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysRotate);
    const [{ rotateKey }, { verifierKeyText }, { print, printJson, tell }] = await Promise.all([
      import('../../cli/keys/change-keys.js'),
      import('../../evidence/index.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { path, key, recorded } = await rotateKey(await openInstallation(this.config, flags), flags);
    if (flags.json) return printJson({ key_file: path, verifier_key: verifierKeyText(key), evidence_ref: recorded?.ref ?? null });
    if (recorded === undefined) tell('Finished a rotation that was interrupted.');
    tell(`The new key is at ${path}. Restart the servers. Verifiers can use this public key:`);
    await print(`${verifierKeyText(key)}\n`);
  }
}
