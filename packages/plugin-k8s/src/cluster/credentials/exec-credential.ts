import { basename } from 'node:path';
import { k8sError } from '../../error-table.js';
import type { ExecPlugin } from '../kubeconfig/index.js';
import type { Credentials } from './credentials.js';

export interface ExecCredentials {
  credentials: Credentials;
  /** Absent: they are good until the server says otherwise. */
  expires?: Date;
}

/**
 * What a plugin answers: an `ExecCredential` of the version that it was asked in, with a token, or a certificate and its key.
 * @throws {BylawError} `credential-plugin`, without a part of the answer
 */
export function readExecCredential({ command, apiVersion }: ExecPlugin, output: string): ExecCredentials {
  const failed = (why: string) => k8sError('credential-plugin', `The credential plugin \`${basename(command)}\` ${why}.`);
  const answer = parsed(output);
  if (answer?.kind !== 'ExecCredential') throw failed('does not return an ExecCredential');
  if (answer.apiVersion !== apiVersion) throw failed('returns a different version than requested');
  const status = mapping(answer.status);
  const token = text(status?.token);
  const cert = text(status?.clientCertificateData);
  const key = text(status?.clientKeyData);
  if ((cert === undefined) !== (key === undefined)) throw failed('returns a certificate without its key, or a key without its certificate');
  if (token === undefined && cert === undefined) throw failed('returns neither a token nor a certificate');
  const expires = new Date(text(status?.expirationTimestamp) ?? Number.NaN);
  return {
    credentials: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    },
    ...(!Number.isNaN(expires.getTime()) && { expires }),
  };
}

function parsed(output: string): { readonly [member: string]: unknown } | undefined {
  try {
    return mapping(JSON.parse(output));
  } catch {
    return undefined;
  }
}

function mapping(value: unknown): { readonly [member: string]: unknown } | undefined {
  return typeof value === 'object' && value !== null ? (value as { [member: string]: unknown }) : undefined; // members are unknown
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
