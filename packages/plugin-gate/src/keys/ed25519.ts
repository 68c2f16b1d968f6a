import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto';

/** An Ed25519 key pair that signs, with its public half in the forms that records carry. */
export interface Signer {
  /** First 16 bytes of the SHA-256 of the raw public key, as 32 hexadecimal digits. */
  readonly keyId: string;
  /** The raw public key (32 bytes), base64url without padding. */
  readonly publicKey: string;
  /** @returns the signature (64 bytes), base64url without padding */
  sign(message: string): string;
}

/** DER before the 32 bytes of a raw key: RFC 8410, section 10.3 and 7. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * @param pem PKCS#8, "BEGIN PRIVATE KEY"
 * @throws {TypeError} when it is not an Ed25519 private key; the message says nothing about its content
 */
export function signerFromPem(pem: string): Signer {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw new TypeError('The text is not a private key in PEM format.');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('The private key is not an Ed25519 key.');
  return signerOf(key);
}

/** @param seed 32 bytes, RFC 8032 */
export function signerFromSeed(seed: Uint8Array): Signer {
  return signerOf(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
}

/** A new key. @returns PKCS#8 PEM, to be written to a file of mode 0600 */
export function newKeyPem(): string {
  return String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** @param publicKey raw key, base64url. @throws {TypeError} when it is not 32 bytes in that form */
export function publicKeyOf(publicKey: string): KeyObject {
  if (!/^[A-Za-z0-9_-]{43}$/.test(publicKey)) throw new TypeError('A public key must have 43 base64url characters.');
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'base64url')]), format: 'der', type: 'spki' });
}

/** See `Signer.keyId`. @param publicKey raw key, base64url */
export function keyIdOf(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64url'), 'hex').slice(0, 32);
}

/** Whether the signature (base64url) is one of the key over the text. Never throws on any signature. */
export function verifySignature(message: string, signature: string, key: KeyObject): boolean {
  if (!/^[A-Za-z0-9_-]{86}$/.test(signature)) return false;
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64url'));
}

/** The same on a thread of the pool, so that many take no time of this one. */
export function verifySignatureOnPool(message: string, signature: string, key: KeyObject): Promise<boolean> {
  if (!/^[A-Za-z0-9_-]{86}$/.test(signature)) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64url'), (error, good) => (error ? reject(error) : resolve(good)));
  });
}

function signerOf(key: KeyObject): Signer {
  const publicKey = Buffer.from(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .subarray(SPKI_PREFIX.length)
    .toString('base64url');
  return { keyId: keyIdOf(publicKey), publicKey, sign: (message) => sign(null, Buffer.from(message), key).toString('base64url') };
}
