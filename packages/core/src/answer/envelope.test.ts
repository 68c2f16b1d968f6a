import { describe, expect, it } from 'vitest';
import { canonicalJson, engine, inputDigest } from './index.js';

describe('what answers have in common', () => {
  it('writes members in the order of their code units, numbers as names included (RFC 8785, section 3.2.3)', () => {
    expect(canonicalJson({ b: [{ z: 1, a: undefined }, null], 10: 'x', 9: 0.5, é: true })).toBe(
      '{"10":"x","9":0.5,"b":[{"z":1},null],"é":true}',
    );
  });

  it('gives equal input equal digests', () => {
    expect(inputDigest({ a: 1, b: 2 })).toBe(inputDigest({ b: 2, a: 1 }));
    expect(inputDigest({ a: 1 })).not.toBe(inputDigest({ a: 2 }));
    expect(inputDigest({})).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  it('names the engine and its version', () => {
    expect(engine()).toEqual({ name: 'bylaw', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });
});
