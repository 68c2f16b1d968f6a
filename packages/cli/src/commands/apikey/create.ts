import { json } from '@bylaw/core/command/flags';
import { print, printJson } from '@bylaw/core/command/output';
import { Command, Flags } from '@oclif/core';

export default class ApikeyCreate extends Command {
  static override summary = 'Create an API key for the REST server.';

  static override description =
    'Prints the key for its user, and an entry for api.keys in bylaw.yaml that contains only the digest of the key. bylaw stores neither of them, so the key is shown only once.';

  static override examples = ['<%= config.bin %> apikey create --name ci'];

  static override flags = {
    name: Flags.string({
      description: 'Name of the key in the logs: letters, digits, dots, hyphens and underscores.',
      helpValue: 'NAME',
      default: 'key-1',
    }),
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApikeyCreate);
    const { createApiKey } = await import('../../api-key.js');
    const { key, entry } = createApiKey(flags.name);
    if (flags.json) return printJson({ key, entry });
    await print(`The key for its user, shown only once:

  ${key}

The entry for bylaw.yaml:

  api:
    keys:
      - id: ${entry.id}
        sha256: ${entry.sha256}
`);
  }
}
