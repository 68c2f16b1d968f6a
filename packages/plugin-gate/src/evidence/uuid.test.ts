import { describe, expect, it } from 'vitest';
import { randomUuid, uuidsWithin } from './uuid.js';

describe('a UUID', () => {
  it('of random bytes has the version, the variant, and all other bits of the bytes (RFC 9562, appendix A.3)', () => {
    expect(randomUuid(Buffer.from('919108f752d133205bacf847db4148a8', 'hex'))).toBe('919108f7-52d1-4320-9bac-f847db4148a8');
    expect(randomUuid(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
    expect(randomUuid(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000');
  });

  it('of a name is always the same (RFC 9562, appendix A.4)', () => {
    const dns = uuidsWithin('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
    expect(dns('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    expect(() => uuidsWithin('dns')).toThrow(TypeError);
  });
});
