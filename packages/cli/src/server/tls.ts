import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { BylawError } from '@bylaw/core/errors';
import type { ServerTls } from '@bylaw/core/http';
import type { Log } from '@bylaw/core/log';

/** Paths of PEM files. */
export interface TlsFiles {
  cert: string;
  key: string;
  /** Authorities of client certificates. */
  clientCa?: string;
}

/**
 * @throws {BylawError} `path-unreadable` when a file cannot be read, the first two do not hold a certificate and its key, or the third
 *   no certificate
 */
export async function readTls({ cert, key, clientCa }: TlsFiles): Promise<ServerTls> {
  const texts: ServerTls = { cert: await read(cert), key: await read(key) };
  if (!belongTogether(texts))
    throw new BylawError('path-unreadable', `${cert} and ${key} must contain a certificate and its private key in PEM format.`);
  if (clientCa === undefined) return texts;
  const authorities = await read(clientCa);
  if (!areCertificates(authorities)) throw new BylawError('path-unreadable', `${clientCa} must contain certificates in PEM format.`);
  return { ...texts, clientCa: authorities };
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new BylawError('path-unreadable', `Cannot read the file ${path}.`, {
      cause,
      hint: 'Check --tls-cert and --tls-key, and api.client_ca.',
    });
  });
}

/** Node itself takes empty texts, and then answers no handshake. */
function belongTogether({ cert, key }: ServerTls): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function areCertificates(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).raw.length > 0);
  } catch {
    return false;
  }
}

/** How often the files are looked at. Certificates are replaced days before they expire. */
const LOOK_MS = 10_000;

/**
 * Reads the files again and again, and hands over what has changed. Files that cannot be read or do not fit are passed over
 * until they do: they may be half replaced. Reading is used, not file events, for mounted secrets are replaced by links.
 * @returns the function that ends it
 */
export function watchTls(files: TlsFiles, first: ServerTls, use: (texts: ServerTls) => void, log: Log, lookMs = LOOK_MS): () => void {
  let current = first;
  let timer = setTimeout(look, lookMs).unref();
  let stopped = false;
  return () => {
    stopped = true;
    clearTimeout(timer);
  };

  async function look() {
    const next = await readTls(files).catch(() => current);
    if (stopped) return;
    if (next.cert !== current.cert || next.key !== current.key || next.clientCa !== current.clientCa) {
      current = next;
      use(next);
      log.info({}, 'loaded new TLS certificates');
    }
    timer = setTimeout(look, lookMs).unref();
  }
}
