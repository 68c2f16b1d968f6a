// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders look like this
import { describe, expect, it } from 'vitest';
import { hasSecretValue, secretValueLine } from './secret-value.js';

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
    ['a Slack webhook', `https://hooks.slack.com/services/T01234567/B01234567/${letters(24)}`],
    ['a Basic login', 'Basic c2hvcDpodW50ZXIy'],
    ['a Basic login whose user has three letters', 'proxy_set_header Authorization "Basic YWRtOmh1bnRlcjI=";'],
    ['a Basic login whose user has five letters', 'authorization: basic YWRtaW46aHVudGVyMg=='],
    ['a bearer token', 'Authorization: Bearer abcdefghijkl3mno'],
    ['a bearer token with its digit in front', 'bearer 8f14e45fceeaabcdef'],
    ['a login to a registry', '{"auths":{"registry.example.com":{"auth":"c2hvcDpodW50ZXIy"}}}'],
    ['a login to the second registry', '{ "auths": { "a": {}, "b": {\n"username": "shop", "password": "hunter2" } } }'],
    ['a JWT', `Bearer eyJ${letters(12)}.eyJ${letters(12)}.${letters(12)}`],
  ])('%s', (_name, text) => {
    expect(hasSecretValue(text)).toBe(true);
  });

  it.each([
    ['the sample of the AWS handbook', 'AKIAIOSFODNN7EXAMPLE'],
    ['a masked token', `ghp_${'x'.repeat(36)}`],
    ['a key whose body is left out', pem('OPENSSH PRIVATE KEY', '...')],
    ['a key whose body is masked', pem('PRIVATE KEY', 'xxxxxxxxxxxxxxxxxxxxxx')],
    ['a sample of a Slack webhook', `https://hooks.slack.com/services/T00000000/B00000000/${'X'.repeat(24)}`],
    ['another page of Slack', 'https://hooks.slack.com/services/'],
    ['a way to log in', 'Basic Authentication, basic configuration, Basic Operator, Basic Only, basic auth'],
    ['a Basic login without a password', 'Basic c2hvcDo='],
    ['a Basic login that is filled in', 'Basic ${LOGIN}, Basic $(LOGIN), Basic <login>, Basic {{ .login }}'],
    ['a bearer token that is filled in', 'Bearer ${TOKEN}, Bearer $(TOKEN), Bearer <token>, Bearer {{ .token }}'],
    ['a bearer token in a sentence', 'send the bearer authentication-token, as Bearer, bearer_methods_supported_there'],
    ['a masked bearer token', `Bearer ${'x'.repeat(20)}1`],
    ['a registry without a login', '{"auths":{"registry.example.com":{}}, "x": {"password": "hunter2"}}'],
    ['a registry whose login is filled in', '{"auths":{"registry.example.com":{"auth":"${AUTH}","password":"<password>"}}}'],
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

  it('is found on the first line that has one', () => {
    const key = `${'AKIA'}QWERTYUIOPASDFGH`;
    expect(secretValueLine(`a\r\nAKIAIOSFODNN7EXAMPLE\nghp_${letters(36)}\n${key}`)).toBe(3);
    expect(secretValueLine(key)).toBe(1);
    expect(secretValueLine(`x\n${pem('PRIVATE KEY', letters(20))}`)).toBe(2);
    expect(secretValueLine('a\nb')).toBe(0);
  });

  it('is looked for in time linear in a text made to slow it down', () => {
    const started = performance.now();
    for (const text of [
      '-eyJ'.repeat(250_000),
      '-----BEGIN '.repeat(100_000),
      'SG.a'.repeat(250_000),
      'basic abc:'.repeat(100_000),
      'bearer '.repeat(140_000),
      '"auths":{{}'.repeat(90_000),
    ])
      expect(hasSecretValue(text)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
