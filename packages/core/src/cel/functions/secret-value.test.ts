import { describe, expect, it } from 'vitest';
import { hasSecretValue } from './secret-value.js';

/** Credentials are put together here, so that no scanner takes this file for a leak. */
const digits = (length: number) => '0123456789'.repeat(Math.ceil(length / 10)).slice(0, length);
const letters = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);
const pem = (kind: string, body: string, gap = '\n') => `-----BEGIN ${kind}-----${gap}${body}`;

describe('a credential of a known form', () => {
  it.each([
    ['an AWS key id', `id: ${'AKIA'}QWERTYUIOPASDFGH,`],
    ['a temporary AWS key id', `${'ASIA'}QWERTYUIOPASDFGH`],
    ['a private key', pem('RSA PRIVATE KEY', letters(20))],
    ['a private key on one line with escapes', pem('PRIVATE KEY', letters(20), '\\n')],
    ['an encrypted private key', pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED')],
    ['a PGP key', pem('PGP PRIVATE KEY BLOCK', 'Version: GnuPG')],
    ['a GitHub token', `ghp_${letters(36)}`],
    ['a fine-grained GitHub token', `github_pat_${letters(50)}`],
    ['a GitLab token', `glpat-${letters(20)}`],
    ['a Slack token', `xoxb-${digits(12)}`],
    ['a Google key', `AIza${letters(35)}`],
    ['a Vault token', `hvs.${letters(24)}`],
    ['an npm token in an .npmrc', `//registry.example.com/:_authToken=npm_${letters(36)}`],
    ['a storage connection string', `AccountName=x;AccountKey=${letters(86)}==`],
    ['a JWT', `Bearer eyJ${letters(12)}.eyJ${letters(12)}.${letters(12)}`],
  ])('%s', (_name, text) => {
    expect(hasSecretValue(text)).toBe(true);
  });

  it.each([
    ['the sample of the AWS handbook', 'AKIAIOSFODNN7EXAMPLE'],
    ['a masked token', `ghp_${'x'.repeat(36)}`],
    ['a key whose body is left out', pem('OPENSSH PRIVATE KEY', '...')],
    ['a key whose body is masked', pem('PRIVATE KEY', 'xxxxxxxxxxxxxxxxxxxxxx')],
    ['a public key', pem('PUBLIC KEY', letters(20))],
    ['a certificate', pem('CERTIFICATE', letters(20))],
    ['a key id inside a longer word', `X${'AKIA'}QWERTYUIOPASDFGH`],
    ['a word that starts like a token', 'task-ant-hill, disk-proj-2, xoxo, SG.1.2'],
    ['a header alone', '-----BEGIN PRIVATE KEY-----'],
  ])('%s is none', (_name, text) => {
    expect(hasSecretValue(text)).toBe(false);
  });

  it('is found behind a sample of the same form', () => {
    expect(hasSecretValue(`AKIAIOSFODNN7EXAMPLE ${'AKIA'}QWERTYUIOPASDFGH`)).toBe(true);
  });

  it('is looked for in time linear in a text made to slow it down', () => {
    const started = performance.now();
    for (const text of ['-eyJ'.repeat(250_000), '-----BEGIN '.repeat(100_000), 'SG.a'.repeat(250_000)])
      expect(hasSecretValue(text)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
