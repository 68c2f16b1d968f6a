import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A ULID: 48 bits of time and 80 random bits as 26 characters whose order is that of time. Form: https://github.com/ulid/spec
 * @param time milliseconds since 1970
 * @param random 10 bytes
 */
export function ulid(time: number, random: Uint8Array): string {
  let bits = BigInt(time);
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let place = 0; place < 26; place++) {
    text = CROCKFORD.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** A new proposal id that nobody can guess: a ULID. */
export function newProposalId(now: Date): string {
  return ulid(now.getTime(), randomBytes(10));
}
