import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newKeyPem, signerFromPem } from '../keys/index.js';
import { loadSigningKey } from './signing-key.js';

describe('the evidence signing key', () => {
  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'bylaw-key-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  it('comes from a file of its owner, relative to the configuration', () => {
    const base = folder();
    const pem = newKeyPem();
    writeFileSync(join(base, 'signing.key'), pem, { mode: 0o600 });
    expect(loadSigningKey({ key_file: 'signing.key' }, { base, env: {} })).toMatchObject({
      pem,
      signer: { keyId: signerFromPem(pem).keyId },
    });
  });

  it('comes from a variable', () => {
    const pem = newKeyPem();
    expect(loadSigningKey({ key_env: 'KEY' }, { base: '', env: { KEY: pem } })).toMatchObject({ pem });
  });

  it('is no key when others can read it', () => {
    const base = folder();
    writeFileSync(join(base, 'signing.key'), newKeyPem());
    chmodSync(join(base, 'signing.key'), 0o640);
    expect(loadSigningKey({ key_file: 'signing.key' }, { base, env: {} })).toMatchObject({
      problem: 'other users can read the evidence signing key',
    });
  });

  it.each(['', 'no key at all', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'x'.repeat(20_000)])(
    'is no key when the file holds something else, and nothing of it is shown',
    (content) => {
      const base = folder();
      writeFileSync(join(base, 'signing.key'), content, { mode: 0o600 });
      const key = loadSigningKey({ key_file: 'signing.key' }, { base, env: {} });
      expect(key).toMatchObject({ problem: 'the evidence signing key cannot be read' });
      if (content !== '') expect(JSON.stringify(key)).not.toContain(content.slice(0, 16));
    },
  );

  it('is missing where there is no file or the variable is not set', () => {
    const missing = { problem: 'no evidence signing key exists' };
    expect(loadSigningKey({ key_file: 'signing.key' }, { base: folder(), env: {} })).toMatchObject(missing);
    expect(loadSigningKey({ key_env: 'KEY' }, { base: '', env: {} })).toMatchObject(missing);
    expect(loadSigningKey({ key_env: 'KEY' }, { base: '', env: { KEY: '' } })).toMatchObject(missing);
  });

  it('cannot be read where the path is a folder', () => {
    const base = folder();
    chmodSync(base, 0o700);
    expect(loadSigningKey({ key_file: '.' }, { base, env: {} })).toMatchObject({ problem: 'the evidence signing key cannot be read' });
  });
});
