import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { apiKeyCheck, type Credentials } from '@bylaw/core/http';
import type { WebhookConfig } from '../config/webhook-section.js';

/** How an API server shows who it is: by a bearer token, or a client certificate. Undefined where neither is configured. */
export function webhookCredentials({
  tokens,
  client_names: names,
}: Pick<WebhookConfig, 'tokens' | 'client_names'>): Credentials | undefined {
  if (tokens.length === 0 && names.length === 0) return undefined;
  const tokenOf = apiKeyCheck(tokens);
  return {
    check: ({ headers, socket }) => {
      const bearer = /^Bearer +([!-~]{1,4096})$/i.exec(headers.authorization ?? '')?.[1];
      return (bearer === undefined ? undefined : tokenOf(bearer)) ?? certifiedName(socket, names);
    },
    hint: 'Send a client certificate or a bearer token that the section `webhook` of the configuration lists.',
  };
}

/** The common name of the client's certificate, where one of our authorities issued it and the name is among those known. */
function certifiedName(socket: IncomingMessage['socket'], names: readonly string[]): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return typeof name === 'string' && names.includes(name) ? name : undefined;
}
