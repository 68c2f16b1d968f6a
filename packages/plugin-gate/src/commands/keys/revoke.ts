import { openInstallation } from '@bylaw/core/installation';
import { Command, Flags } from '@oclif/core';
import { config, json, reason } from '../../cli/terminal/input-flags.js';

export default class KeysRevoke extends Command {
  static override summary = 'Record that a key of the evidence chain was stolen.';

  static override description =
    'Revokes the key that signed the given record. Verifiers then report which records a thief could have written. Rotate first: the ' +
    'active key cannot be revoked.';

  static override examples = ['<%= config.bin %> keys revoke --from 4711 --reason "laptop lost on Monday"'];

  static override flags = {
    from: Flags.integer({ description: 'First record that may be forged.', helpValue: 'SEQ', min: 0, required: true }),
    reason,
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysRevoke);
    const [{ revokeKey }, { print, printJson }] = await Promise.all([
      import('../../cli/keys/change-keys.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const { recorded, ...revoked } = await revokeKey(await openInstallation(this.config, flags), flags);
    if (flags.json) return printJson({ ...revoked, evidence_ref: recorded.ref });
    await print(
      `Key ${revoked.key_id} is revoked for records ${revoked.from} to ${revoked.to}. The revocation is recorded as ${recorded.ref}.\n`,
    );
  }
}
