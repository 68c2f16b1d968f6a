// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders look like this
import { describe, expect, it } from 'vitest';
import { isNoSecret, isPlaceholder } from './no-secret.js';

describe('a value that is surely no secret', () => {
  it.each([
    '',
    '  ',
    'true',
    'False',
    'YES',
    'off',
    '0',
    '1',
    'none',
    'enabled',
    '24h',
    '500ms',
    'null',
    '/run/secrets/db',
    'file:/run/secrets/db',
    './token',
    '../keys/a',
    '~/.ssh/id',
    'https://issuer.example.com/token?x=1',
    `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`,
    'Bearer $(TOKEN)',
    'bearer ${TOKEN}',
    'Basic {{ .login }}',
    'Basic <base64>',
    'http://vault:8200',
    '${DB_PASSWORD}',
    '${DB_PASSWORD:-}',
    '${{ secrets.DB_PASSWORD }}',
    '$(DB_PASSWORD)',
    '{{ .Values.pw }}',
    '<path:kv/data/shop#password>',
    '${A}${B}',
    '$DB_PASSWORD',
    '$dex.github.clientSecret',
    '$shop-secret:oidc.clientSecret',
    'vault:secret/data/db#pw',
    '>>vault:secret/x',
    'bao:secret/x',
    'op://vault/item/field',
    'ref+awssecrets://x',
    'arn:aws:secretsmanager:eu-west-1:1:secret:x',
    'projects/p/secrets/s/versions/1',
    'gcp:secretmanager:projects/p/secrets/s',
    'db-password@azurekeyvault',
    'ENC[AES256_GCM,data:Tr7o=,iv:1=,tag:k=,type:str]',
    'ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm)',
    '{cipher}AQB2',
    '$ANSIBLE_VAULT;1.1;AES256',
    '-----BEGIN PUBLIC KEY-----\nMIIB',
    '-----BEGIN CERTIFICATE-----\nMIIB',
    'ssh-ed25519 AAAAC3NzaC1 me@host',
  ])('%j', (value) => {
    expect(isNoSecret(value)).toBe(true);
  });

  it('is every truth value, and what is no scalar', () => {
    for (const value of [true, false, 0, 1, 0n, null, undefined, {}, ['x']]) expect(isNoSecret(value)).toBe(true);
  });
});

describe('a value that may be a secret', () => {
  it.each([
    'hunter2',
    'changeme',
    '1234567h',
    'h24h',
    'secretsquirrels',
    'abc123',
    'https://user:pw@example.com/',
    'prefix-${X}',
    'a/b',
    'aB3/x9Kd/Zq+1',
    '$ecret',
    'my/secret/file/path',
    'Bearer hunter2',
    'file:hunter2',
    'env:hunter2',
    'Basic c2hvcDpodW50ZXIy',
    `https://hooks.slack.com/services/T01234567/B01234567/${'abcdefgh1234'.repeat(2)}`,
    '12345678',
    'p<w>d',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----BEGIN PRIVATE KEY-----\nMIIB',
    'truetrue',
    '-----BEGIN PRIVATE KEY-----\nMIIB',
  ])('%j', (value) => {
    expect(isNoSecret(value)).toBe(false);
  });

  it('is a number other than 0 and 1', () => {
    expect(isNoSecret(20250101)).toBe(false);
  });
});

describe('a placeholder', () => {
  it('is the whole text', () => {
    expect(isPlaceholder(' <your password> ')).toBe(true);
    expect(isPlaceholder('${X}-suffix')).toBe(false);
    expect(isPlaceholder('')).toBe(false);
  });

  it('is recognised in time linear in the text', () => {
    expect(isPlaceholder(`${'${a}'.repeat(50_000)}!`)).toBe(false);
    expect(isPlaceholder('<'.repeat(100_000))).toBe(false);
  });
});
