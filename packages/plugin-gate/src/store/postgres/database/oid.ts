/** Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `ob_` and a ULID (https://github.com/ulid/spec): 48 bits of time and 80 of chance. */
export const OID_PATTERN = /^ob_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * A new reference of the outbox. Those of one time stand together in its index.
 * @param at milliseconds since 1970
 * @param random gives that many random bytes
 */
export function newOid(at: number, random: (bytes: number) => Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.set(random(10), 6);
  // 26 digits have two bits more than 16 bytes: the first digit holds three.
  let rest = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
  let digits = '';
  for (let place = 0; place < 26; place++) {
    digits = (DIGITS[Number(rest & 31n)] ?? '') + digits;
    rest >>= 5n;
  }
  return `ob_${digits}`;
}
