import { hash } from 'node:crypto';
import { publicKeyOf, type Signer, verifySignature } from '../keys/index.js';

/**
 * Signed notes as C2SP defines them (c2sp.org/signed-note): a text that ends with a line feed, an empty line, and lines of
 * signatures. Keys are Ed25519, signature type 1.
 */

/** A public key with the name that it signs notes under. */
export interface VerifierKey {
  name: string;
  /** Raw key, base64url, as everywhere in this program. */
  publicKey: string;
}

/** The text that a verifier is given: `<name>+<key id>+<base64 of the type and the key>`, as Go's sumdb tools and C2SP's write it. */
export function verifierKeyText(key: VerifierKey): string {
  return `${key.name}+${noteKeyId(key).toString('hex')}+${typedKey(key).toString('base64')}`;
}

/** @throws {TypeError} when the text is not a verifier key of this form, or its key id is not the one of its key; says which */
export function readVerifierKey(text: string): VerifierKey {
  // The name has no plus, the base64 may.
  const [name = '', id = '', ...rest] = text.trim().split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(id) || typed.length !== 33 || typed.toString('base64') !== rest.join('+'))
    throw new TypeError('A verifier key must have the form name+8 hexadecimal digits+base64 of 33 bytes.');
  if (typed[0] !== ED25519) throw new TypeError('The verifier key must have the type Ed25519 (1).');
  const key = { name, publicKey: typed.subarray(1).toString('base64url') };
  if (noteKeyId(key).toString('hex') !== id) throw new TypeError('The key id in the verifier key does not match its name and key.');
  return key;
}

/** Whether a text can name a key: not empty, no white space, no plus. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}\p{Z}]+$/u.test(name);
}

/** @param text lines, each with its line feed. @returns the note with one signature */
export function signNote(text: string, name: string, signer: Signer): string {
  const signature = Buffer.from(signer.sign(text), 'base64url');
  return `${text}\n— ${name} ${Buffer.concat([noteKeyId({ name, publicKey: signer.publicKey }), signature]).toString('base64')}\n`;
}

export interface Note {
  /** What is signed, with its final line feed. */
  text: string;
  signatures: { name: string; keyId: string; signature: Buffer }[];
}

/** Bytes of a note that are read at all: many signatures fit, and hostile files do not matter. */
export const MAX_NOTE = 65_536;

/** @throws {TypeError} when it is not of the form of a signed note; the message says how */
export function readNote(note: string): Note {
  if (note.length > MAX_NOTE) throw new TypeError('The note is longer than 65,536 characters.');
  const end = note.lastIndexOf('\n\n');
  // Control characters are what the pattern is for.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: C2SP forbids them in notes
  if (end < 1 || /[\u0000-\u0009\u000b-\u001f]/.test(note))
    throw new TypeError('The file is not a signed note. Expected text, an empty line, and signatures.');
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0) throw new TypeError('The note has no signature lines, or its last line is truncated.');
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignatureLine) };
}

/** Whether the key has signed the note. A line with its name and key id that does not verify makes the answer false for good. */
export function isSignedBy(note: Note, key: VerifierKey): boolean {
  const keyId = noteKeyId(key).toString('hex');
  const own = note.signatures.filter((line) => line.name === key.name && line.keyId === keyId);
  const verified = (line: (typeof own)[number]) =>
    verifySignature(note.text, line.signature.toString('base64url'), publicKeyOf(key.publicKey));
  return own.length > 0 && own.every(verified);
}

const ED25519 = 1;

function typedKey(key: VerifierKey): Buffer {
  return Buffer.concat([Uint8Array.of(ED25519), Buffer.from(key.publicKey, 'base64url')]);
}

/** First four bytes of the SHA-256 over name, line feed, signature type and key. */
function noteKeyId(key: VerifierKey): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${key.name}\n`), typedKey(key)]), 'buffer').subarray(0, 4);
}

function readSignatureLine(line: string): Note['signatures'][number] {
  const [, name = '', base64 = ''] = /^— ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (!isKeyName(name) || bytes.length < 5 || bytes.toString('base64') !== base64)
    throw new TypeError('A signature line of the note is malformed.');
  return { name, keyId: bytes.subarray(0, 4).toString('hex'), signature: bytes.subarray(4) };
}
