import { readFileSync } from 'node:fs';
import type { Clock } from '@bylaw/core/clock';
import { k8sError } from '../../error-table.js';
import type { CredentialSource, Credentials } from './credentials.js';

/** Kubernetes writes the token of a Pod again long before it expires; clients are to read it about once a minute. */
const FRESH_MS = 60_000;

/** A token that is read from a file, and read again as it rotates. @param fallback a token for as long as the file has never been readable */
export function tokenFileSource(path: string, fallback: string | undefined, others: Credentials, clock: Clock): CredentialSource {
  let last: { token: string; at: number } | undefined;
  const fresh = () => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (cause) {
      const token = last?.token ?? fallback;
      if (token !== undefined) return token;
      throw k8sError('cluster-credentials', `Cannot read the token file ${path}.`, { cause });
    }
  };
  return {
    current: async () => {
      const at = clock.now().getTime();
      if (!last || at - last.at >= FRESH_MS || at < last.at) last = { token: fresh(), at };
      return { ...others, authorization: `Bearer ${last.token}` };
    },
    refused: ({ authorization }) => {
      last = undefined;
      return authorization !== `Bearer ${fresh()}`;
    },
  };
}
