import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdapterEntry } from '../config/index.js';
import { sha256Hex } from '../json/index.js';
import {
  type AdapterRegistry,
  adapterRegistry,
  adapterSecrets,
  canonicalString,
  EMPTY_DIGEST,
  readCredentials,
  signRequest,
  withinSkew,
} from './index.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const OTHER = 'fedcba9876543210fedcba9876543210';
const AT = new Date('2026-01-02T03:04:05.678Z');
const BODY = '{"id":"p-1"}';

const entry = (adapter_id: string, more: Partial<AdapterEntry> = {}): AdapterEntry => ({
  adapter_id,
  secret_env: `SVC_ADAPTER_SECRET_${adapter_id.toUpperCase()}`,
  kind: 'ci',
  ...more,
});

const signed = (secret = SECRET, adapterId = 'ci') =>
  signRequest({ method: 'POST', target: '/v1/proposals', adapterId, secret, at: AT, body: BODY });

const raw = (headers: { [name: string]: string }) => Object.entries(headers).flat();

const REQUEST = { method: 'POST', path: '/v1/proposals', bodyDigest: sha256Hex(BODY) };

function verified(registry: AdapterRegistry, headers: { [name: string]: string }, request = REQUEST): string | undefined {
  const credentials = readCredentials(raw(headers));
  if ('refused' in credentials) return credentials.refused;
  return registry.verify(credentials, request)?.adapter_id;
}

describe('the canonical string', () => {
  const parts = { method: 'POST', path: '/v1/proposals', timestamp: '2026-01-02T03:04:05.678Z', nonce: '', bodyDigest: sha256Hex(BODY) };

  it('is five fields with line feeds between them, and nothing else (gate/canonical.1, gate/canonical.2, gate/canonical.3, gate/canonical.4, gate/canonical.5)', () => {
    expect(canonicalString(parts)).toBe(
      'POST\n/v1/proposals\n2026-01-02T03:04:05.678Z\n\n3626a70b10daa4ec76e10a46704d47e184a19e6ec492856c87449336b5406519',
    );
  });

  it('has the digest of nothing for a GET (gate/canonical.5)', () => {
    expect(EMPTY_DIGEST).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

describe('signing a request', () => {
  it('gives the published signature of a POST', () => {
    expect(signed()).toEqual({
      'X-SVC-Adapter-Id': 'ci',
      'X-SVC-Timestamp': '2026-01-02T03:04:05.678Z',
      'X-SVC-Signature': 'iLp-6RZvWQPGFuhrp3SnAViX1pX1iKVQ_iTu54bByRk',
    });
  });

  it('gives the published signature of a GET with a nonce, whatever its query and body (gate/canonical.2, gate/canonical.4)', () => {
    const signature = '-szEK48LNEyLNS8n0Ncc5D8Pyms5SUz41d32nffobsw';
    const request = { method: 'GET', adapterId: 'ci', secret: SECRET, at: AT, nonce: 'n-1' };
    for (const target of ['/v1/evidence', '/v1/evidence?from=1', '/v1/evidence?a=?'])
      for (const body of ['', 'ignored'])
        expect(signRequest({ ...request, target, body })).toMatchObject({ 'X-SVC-Nonce': 'n-1', 'X-SVC-Signature': signature });
  });

  it('signs the bytes of a text and the same bytes alike', () => {
    const request = { method: 'POST', target: '/', adapterId: 'ci', secret: 'sécret '.repeat(6), at: AT };
    expect(signRequest({ ...request, body: 'ä' })).toEqual(signRequest({ ...request, body: Buffer.from('ä') }));
  });
});

describe('the headers of a request', () => {
  it('are read whatever the case of their names', () => {
    const headers = raw({
      Host: 'x',
      'x-svc-ADAPTER-id': 'ci',
      'X-Svc-Timestamp': AT.toISOString(),
      'x-svc-nonce': 'n',
      'X-SVC-Signature': '-'.repeat(43),
    });
    expect(readCredentials(headers)).toEqual({
      adapterId: 'ci',
      timestamp: '2026-01-02T03:04:05.678Z',
      at: AT.getTime(),
      nonce: 'n',
      signature: Buffer.from('-'.repeat(43), 'base64url'),
    });
  });

  it('may lack the nonce, or send it empty, which is the same', () => {
    expect(readCredentials(raw({ ...signed(), 'X-SVC-Nonce': '' }))).toEqual(readCredentials(raw(signed())));
    expect(readCredentials(raw(signed()))).toMatchObject({ nonce: '' });
  });

  it.each<[string, string | undefined, string]>([
    ['X-SVC-Adapter-Id', undefined, 'AG-IDN-001'],
    ['X-SVC-Adapter-Id', '', 'AG-IDN-001'],
    ['X-SVC-Timestamp', undefined, 'AG-IDN-002'],
    ['X-SVC-Timestamp', '', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '1767323045', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '2026-01-02T03:04:05Z', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '2026-01-02T03:04:05.678901Z', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '2026-01-02T03:04:05.678+01:00', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '2026-02-30T03:04:05.678Z', 'AG-IDN-002'],
    ['X-SVC-Timestamp', '2026-01-02T03:04:60.000Z', 'AG-IDN-002'],
    ['X-SVC-Nonce', 'a b', 'AG-IDN-004'],
    ['X-SVC-Nonce', 'é', 'AG-IDN-004'],
    ['X-SVC-Nonce', 'n'.repeat(129), 'AG-IDN-004'],
    ['X-SVC-Signature', undefined, 'AG-IDN-004'],
    ['X-SVC-Signature', '', 'AG-IDN-004'],
    ['X-SVC-Signature', `${'A'.repeat(43)}=`, 'AG-IDN-004'],
    ['X-SVC-Signature', 'A'.repeat(42), 'AG-IDN-004'],
    ['X-SVC-Signature', `${'A'.repeat(42)}+`, 'AG-IDN-004'],
    ['X-SVC-Signature', '0'.repeat(64), 'AG-IDN-004'],
  ])('are refused when %s is %j: %s', (name, value, code) => {
    const { [name]: _, ...others } = signed();
    expect(readCredentials(raw(value === undefined ? others : { ...others, [name]: value }))).toEqual({ refused: code });
  });

  it.each(['CI', 'CI-MAIN', 'team.ci', 'ci main', 'a'.repeat(64), '../ci', '__proto__', 'constructor'])(
    'may name an adapter %j, which is not registered (gate/auth.2)',
    (name) => {
      const registry = adapterRegistry([entry('ci')], { SVC_ADAPTER_SECRET_CI: SECRET });
      expect(readCredentials(raw({ ...signed(), 'X-SVC-Adapter-Id': name }))).toMatchObject({ adapterId: name });
      expect(verified(registry, { ...signed(), 'X-SVC-Adapter-Id': name })).toBeUndefined();
    },
  );

  it.each(['X-SVC-Adapter-Id', 'X-SVC-Timestamp', 'X-SVC-Nonce', 'X-SVC-Signature'])('are refused when %s is sent twice', (name) => {
    const headers = raw({ ...signed(), 'X-SVC-Nonce': 'n' });
    const value = headers[headers.indexOf(name) + 1] ?? '';
    expect(readCredentials([...headers, name.toLowerCase(), value])).toEqual({ refused: 'AG-IDN-001' });
  });

  it('are read or refused whatever they are', () => {
    const name = fc.constantFrom('X-SVC-Adapter-Id', 'X-SVC-Timestamp', 'X-SVC-Nonce', 'X-SVC-Signature', 'Host');
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), fc.constantFrom('ci', AT.toISOString(), 'A'.repeat(43)));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (headers) => {
        const read = readCredentials(headers.flat());
        if (!('refused' in read)) expect(read.signature).toHaveLength(32);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the allowed difference of clocks', () => {
  const at = AT.getTime();

  it.each([0, 300_000, -300_000])('lets %d ms pass when it is 300 seconds (gate/auth.1)', (difference) => {
    expect(withinSkew(at, at + difference, 300)).toBe(true);
  });

  it.each([300_001, -300_001])('refuses %d ms when it is 300 seconds (gate/auth.1)', (difference) => {
    expect(withinSkew(at, at + difference, 300)).toBe(false);
  });

  it('may be none at all', () => {
    expect(withinSkew(at, at, 0)).toBe(true);
    expect(withinSkew(at, at + 1, 0)).toBe(false);
  });
});

describe('the registry of adapters', () => {
  const env = { SVC_ADAPTER_SECRET_CI: SECRET, SVC_ADAPTER_SECRET_MCP: OTHER };
  const registry = adapterRegistry([entry('ci'), entry('mcp', { kind: 'mcp' })], env);

  it('knows the adapter that signed', () => {
    expect(verified(registry, signed())).toBe('ci');
    expect(verified(registry, signed(OTHER, 'mcp'))).toBe('mcp');
  });

  it('does not know an adapter that is not registered (gate/auth.2, gate/errors.3)', () => {
    expect(verified(registry, signed(SECRET, 'other'))).toBeUndefined();
    expect(verified(adapterRegistry([], {}), signed())).toBeUndefined();
  });

  it('does not take the secret of one adapter for that of another', () => {
    expect(verified(registry, signed(SECRET, 'mcp'))).toBeUndefined();
    expect(verified(registry, signed(OTHER, 'ci'))).toBeUndefined();
  });

  it.each<[string, Partial<typeof REQUEST>]>([
    ['method', { method: 'GET' }],
    ['path', { path: '/v1/proposals/' }],
    ['body', { bodyDigest: sha256Hex(`${BODY} `) }],
  ])('refuses a signature over another %s', (_, change) => {
    expect(verified(registry, signed(), { ...REQUEST, ...change })).toBeUndefined();
  });

  it('refuses a nonce that was added, changed or taken away', () => {
    const withNonce = signRequest({
      method: 'POST',
      target: '/v1/proposals',
      adapterId: 'ci',
      secret: SECRET,
      at: AT,
      body: BODY,
      nonce: 'n',
    });
    expect(verified(registry, withNonce)).toBe('ci');
    expect(verified(registry, { ...withNonce, 'X-SVC-Nonce': 'm' })).toBeUndefined();
    expect(verified(registry, { ...withNonce, 'X-SVC-Nonce': '' })).toBeUndefined();
    expect(verified(registry, { ...signed(), 'X-SVC-Nonce': 'n' })).toBeUndefined();
  });

  it('refuses a signature with any bit flipped', () => {
    const credentials = readCredentials(raw(signed()));
    if ('refused' in credentials) throw new Error('the headers are well formed');
    for (let bit = 0; bit < 256; bit++) {
      const signature = Buffer.from(credentials.signature);
      signature.writeUInt8(signature.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(registry.verify({ ...credentials, signature }, REQUEST)).toBeUndefined();
    }
    expect(registry.verify(credentials, REQUEST)).toBeDefined();
  });

  it('does not take a signature by the key that stands in for a missing one', () => {
    const dummy = Buffer.alloc(32, 7);
    const registered = adapterRegistry([entry('ci')], {}, () => dummy);
    const headers = signed();
    const text = canonicalString({ ...REQUEST, timestamp: AT.toISOString(), nonce: '' });
    headers['X-SVC-Signature'] = createHmac('sha256', dummy).update(text).digest('base64url');
    expect(verified(registered, headers)).toBeUndefined();
    expect(verified(registered, { ...headers, 'X-SVC-Adapter-Id': 'nobody' })).toBeUndefined();
  });

  it('takes both secrets during a rotation, and the new one only when it is finished (gate/auth.8, gate/auth.2)', () => {
    const variables = { SVC_ADAPTER_SECRET_CI: SECRET, SVC_ADAPTER_SECRET_CI_2: OTHER };
    const rotating = entry('ci', { secret_env: 'SVC_ADAPTER_SECRET_CI_2', previous_secret_env: 'SVC_ADAPTER_SECRET_CI' });
    const overlap = adapterRegistry([rotating], variables);
    expect(verified(overlap, signed(SECRET))).toBe('ci');
    expect(verified(overlap, signed(OTHER))).toBe('ci');
    const finished = adapterRegistry([entry('ci', { secret_env: 'SVC_ADAPTER_SECRET_CI_2' })], variables);
    expect(verified(finished, signed(SECRET))).toBeUndefined();
    expect(verified(finished, signed(OTHER))).toBe('ci');
  });

  it.each<[string, string | undefined, string]>([
    ['unset', undefined, 'unset'],
    ['empty', '', 'unset'],
    ['of 31 characters', SECRET.slice(1), 'too short'],
    ['with white space before it', ` ${SECRET}`, 'padded'],
    ['with a line feed after it', `${SECRET}\n`, 'padded'],
  ])('cannot use a secret that is %s (gate/auth.6)', (_, value, secret) => {
    const registered = adapterRegistry([entry('ci')], { SVC_ADAPTER_SECRET_CI: value });
    expect(registered.adapters).toEqual([{ entry: entry('ci'), secret, usable: false }]);
    expect(verified(registered, signed(value ?? ''))).toBeUndefined();
  });

  it('stays usable when the previous variable of a rotation is gone, or the new one not there yet (gate/ready.3)', () => {
    const rotating = entry('ci', { previous_secret_env: 'OLD' });
    const states = (variables: { [name: string]: string }) =>
      adapterRegistry([rotating], variables).adapters.map(({ secret, previous, usable }) => ({ secret, previous, usable }));
    expect(states({ SVC_ADAPTER_SECRET_CI: SECRET })).toEqual([{ secret: 'set', previous: 'unset', usable: true }]);
    expect(states({ OLD: SECRET })).toEqual([{ secret: 'unset', previous: 'set', usable: true }]);
    expect(states({ OLD: 'short' })).toEqual([{ secret: 'unset', previous: 'too short', usable: false }]);
  });

  it('lists states of variables and no secret (gate/auth.7)', () => {
    expect(JSON.stringify(registry.adapters)).not.toContain(SECRET);
    expect(JSON.stringify(registry)).not.toContain(SECRET);
  });

  it('keys by the UTF-8 bytes of the variable, not decoded', () => {
    const secret = 'ümläut-0123456789abcdef0123456789';
    expect(verified(adapterRegistry([entry('ci')], { SVC_ADAPTER_SECRET_CI: secret }), signed(secret))).toBe('ci');
  });

  it('tells what must never be recorded', () => {
    const adapters = [entry('ci', { previous_secret_env: 'OLD' }), entry('mcp')];
    expect(adapterSecrets(adapters, { SVC_ADAPTER_SECRET_CI: SECRET, OLD: 'short', SVC_ADAPTER_SECRET_MCP: '' })).toEqual([
      SECRET,
      'short',
    ]);
  });
});
