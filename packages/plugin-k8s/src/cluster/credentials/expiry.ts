import { X509Certificate } from 'node:crypto';
import type { Credentials } from './credentials.js';

/** Until when a token is valid, where it is a JWT that says so (RFC 7519, section 4.1.4). Its signature is for the server to check. */
export function tokenExpiry(token: string): Date | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && 'exp' in claims ? validDate(Number(claims.exp) * 1000) : undefined;
  } catch {
    return undefined;
  }
}

/** What among credentials has expired, in words; undefined where nothing has that can be told. */
export function expiredPart({ authorization = '', certificate }: Credentials, now: Date): string | undefined {
  const parts = [
    ['client certificate', certificate && certificateExpiry(certificate.cert)],
    ['token', tokenExpiry(authorization)],
  ] as const;
  for (const [part, until] of parts) if (until && until <= now) return `The ${part} expired on ${until.toISOString().slice(0, 10)}.`;
  return undefined;
}

function certificateExpiry(pem: string): Date | undefined {
  try {
    return validDate(new X509Certificate(pem).validToDate.getTime());
  } catch {
    return undefined;
  }
}

function validDate(ms: number): Date | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
