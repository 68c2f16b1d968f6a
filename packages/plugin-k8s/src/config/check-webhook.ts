import type { Config, ConfigBreach } from '@bylaw/core/config';
import { webhookConfigOf } from './webhook-section.js';

/** What the schema of the section `webhook` cannot say. */
export function checkWebhook(config: Config): ConfigBreach[] {
  const { tokens, client_names: names } = webhookConfigOf(config);
  return [
    ...(['id', 'sha256'] as const).flatMap((member) =>
      tokens.flatMap((token, index) =>
        tokens.findIndex((other) => other[member] === token[member]) < index
          ? [{ path: ['webhook', 'tokens', index, member], message: `Two tokens have the same \`${member}\`.` }]
          : [],
      ),
    ),
    ...(names.length > 0 && config.api.client_ca === undefined
      ? [
          {
            path: ['webhook', 'client_names'],
            message: '`webhook.client_names` requires `api.client_ca`.',
            hint: 'Set `api.client_ca` to the file of the certificate authorities.',
          },
        ]
      : []),
  ];
}
