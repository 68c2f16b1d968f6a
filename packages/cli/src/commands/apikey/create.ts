import { json } from '@bylaw/core/command/flags';
import { print, printJson } from '@bylaw/core/command/output';
import { Command, Flags } from '@oclif/core';

export default class ApikeyCreate extends Command {
  static override summary = 'Make a key for the REST server.';

  static override description =
    'Prints the key once, for its user, and the entry for api.keys of bylaw.yaml, which holds nothing but its digest. Neither is stored anywhere.';

  static override examples = ['<%= config.bin %> apikey create --name ci'];

  static override flags = {
    name: Flags.string({
      description: 'Name of the key in the logs: letters, digits, dot, dash and underscore.',
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
    await print(`The key, for its user. It is shown only now:

  ${key}

The entry for bylaw.yaml:

  api:
    keys:
      - id: ${entry.id}
        sha256: ${entry.sha256}
`);
  }
}
