import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { BylawError } from '@bylaw/core/errors';
import type { Log } from '@bylaw/core/log';

/** Paths of PEM files. */
export interface TlsFiles {
  cert: string;
  key: string;
}

export interface TlsTexts {
  cert: string;
  key: string;
}

/** @throws {BylawError} `path-unreadable` when a file cannot be read, or the two do not hold a certificate and its key */
export async function readTls(files: TlsFiles): Promise<TlsTexts> {
  const read = (path: string) =>
    readFile(path, 'utf8').catch((cause: unknown) => {
      throw new BylawError('path-unreadable', `The file ${path} cannot be read.`, { cause, hint: 'Check --tls-cert and --tls-key.' });
    });
  const texts = { cert: await read(files.cert), key: await read(files.key) };
  if (!belongTogether(texts))
    throw new BylawError('path-unreadable', `${files.cert} and ${files.key} do not hold a certificate and its key in PEM form.`);
  return texts;
}

/** Node itself takes empty texts, and then answers no handshake. */
function belongTogether({ cert, key }: TlsTexts): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
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
export function watchTls(files: TlsFiles, first: TlsTexts, use: (texts: TlsTexts) => void, log: Log, lookMs = LOOK_MS): () => void {
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
    if (next.cert !== current.cert || next.key !== current.key) {
      current = next;
      use(next);
      log.info({}, 'took new TLS certificates');
    }
    timer = setTimeout(look, lookMs).unref();
  }
}
