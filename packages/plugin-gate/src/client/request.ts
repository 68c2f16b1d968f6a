import { type RequestToSign, signRequest } from '../auth/index.js';

/** Who signs. */
export interface AdapterIdentity {
  adapterId: string;
  secret: string;
}

/** An answer of any kind, from the gate or from something in front of it. */
export interface Answer {
  status: number;
  /** As `Retry-After` says. */
  retryAfterMs: number | undefined;
  /** Parsed; undefined where it is not JSON. */
  body: unknown;
}

export function headersFor(
  identity: AdapterIdentity | undefined,
  request: Omit<RequestToSign, keyof AdapterIdentity>,
): { [header: string]: string } {
  return {
    ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(identity && signRequest({ ...identity, ...request })),
  };
}
