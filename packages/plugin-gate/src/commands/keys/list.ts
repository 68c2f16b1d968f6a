import { Command } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, json } from '../../cli/terminal/input-flags.js';

export default class KeysList extends Command {
  static override summary = 'List the keys of the evidence chain, with the public keys for verifiers.';

  static override examples = ['<%= config.bin %> keys list'];

  static override flags = { dev, config, json };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysList);
    const [{ chainKeys }, { originOf, withStoreToRead }, { verifierKeyText }, { print, printJson }] = await Promise.all([
      import('../../cli/open/chain-keys.js'),
      import('../../cli/open/read-store.js'),
      import('../../evidence/index.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const keys = await withStoreToRead(await openGateWithStore(this.config, flags), async (store, settings) =>
      (await chainKeys(store)).map(({ public_key: publicKey, ...key }) => ({
        ...key,
        verifier_key: verifierKeyText({ name: originOf(store, settings), publicKey }),
      })),
    );
    if (flags.json) return printJson(keys);
    const { keysText } = await import('../../cli/open/chain-keys.js');
    await print(keysText(keys));
  }
}
