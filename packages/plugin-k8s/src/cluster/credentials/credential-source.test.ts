import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, fixedClock } from '@bylaw/core/clock';
import { describe, expect, it } from 'vitest';
import type { ExecPlugin, User } from '../kubeconfig/index.js';
import { certificateAuthority } from '../testing/authority.test-support.js';
import { temporaryFolder } from '../testing/connected.test-support.js';
import { credentialSource } from './credential-source.js';
import { expiredPart } from './expiry.js';

const signal = new AbortController().signal;
const NOW = '2026-01-02T03:04:05Z';

function sourceOf(
  user: Partial<User>,
  options: { clock?: Clock; interactive?: boolean; pluginMs?: number; env?: { [name: string]: string } } = {},
) {
  const { clock = fixedClock(NOW), interactive = false, pluginMs = 30_000, env = { PATH: process.env.PATH ?? '' } } = options;
  return credentialSource({ name: 'u', ...user }, { clock, env, interactive, pluginMs });
}

/** A clock that is moved by hand. */
function handClock() {
  let at = Date.parse(NOW);
  return {
    now: () => new Date(at),
    advance: (ms: number) => {
      at += ms;
    },
  };
}

describe('what stands in the kubeconfig', () => {
  const certificate = { cert: 'C', key: 'K' };

  it.each<[string, Partial<User>, object]>([
    ['nothing', {}, {}],
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['a token and a certificate', { token: 't', certificate }, { authorization: 'Bearer t', certificate }],
    ['a name and a password', { password: { name: 'a', password: 'b' } }, { authorization: 'Basic YTpi' }],
    ['a certificate, before a plugin', { certificate, exec: plugin('process.exit(1)') }, { certificate }],
  ])('is sent as it is: %s', async (_, user, credentials) => {
    const source = sourceOf(user);
    expect(await source.current(signal)).toEqual(credentials);
    expect(source.refused(credentials)).toBe(false);
  });

  it('is refused where it asks for a provider that clients no longer have', () => {
    expect(() => sourceOf({ provider: { name: 'gcp', config: { 'cmd-path': '/bin/false' } } })).toThrow('no longer support');
  });
});

describe('a file with a token', () => {
  it('is read again after a minute, and at once where the token is refused', async () => {
    const tokenFile = join(await temporaryFolder(), 'token');
    const clock = handClock();
    await writeFile(tokenFile, 'one\n');
    const source = sourceOf({ tokenFile, token: 'unused' }, { clock });
    expect(await source.current(signal)).toEqual({ authorization: 'Bearer one' });

    await writeFile(tokenFile, 'two');
    clock.advance(59_999);
    expect(await source.current(signal)).toEqual({ authorization: 'Bearer one' });
    clock.advance(1);
    expect(await source.current(signal)).toEqual({ authorization: 'Bearer two' });

    await writeFile(tokenFile, 'three');
    expect(source.refused({ authorization: 'Bearer two' })).toBe(true);
    expect(await source.current(signal)).toEqual({ authorization: 'Bearer three' });
    expect(source.refused({ authorization: 'Bearer three' })).toBe(false);
  });

  it('that cannot be read leaves the token of the kubeconfig, or the last one', async () => {
    const tokenFile = join(await temporaryFolder(), 'token');
    expect(await sourceOf({ tokenFile, token: 'own' }).current(signal)).toEqual({ authorization: 'Bearer own' });
    await expect(sourceOf({ tokenFile }).current(signal)).rejects.toMatchObject({ code: 'cluster-credentials' });
  });
});

/** A plugin that is a script of Node. */
function plugin(script: string, more: Partial<ExecPlugin> = {}): ExecPlugin {
  return {
    command: process.execPath,
    args: ['-e', script],
    env: {},
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
    ...more,
  };
}

const answer = (status: object, more: object = {}) =>
  `console.log(JSON.stringify(${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status, ...more })}))`;

describe('a credential plugin', () => {
  it('is told what it is asked for, and gets no input', async () => {
    const folder = await temporaryFolder();
    const script = `
      const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      require('fs').writeFileSync(process.env.TO, JSON.stringify({ info, stdin: require('fs').readFileSync(0, 'utf8'), home: process.env.HOME }));
      ${answer({ token: 't' })}`;
    const exec = plugin(script, { env: { TO: join(folder, 'seen') }, cluster: { server: 'https://a.example' } });

    expect(await sourceOf({ exec }, { env: { HOME: '/home/me' } }).current(signal)).toEqual({ authorization: 'Bearer t' });
    expect(JSON.parse(await readFile(join(folder, 'seen'), 'utf8'))).toEqual({
      info: {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: { cluster: { server: 'https://a.example' }, interactive: false },
      },
      stdin: '',
      home: '/home/me',
    });
  });

  it('runs once for all that wait for it, and again when its answer has expired or was refused', async () => {
    const counter = join(await temporaryFolder(), 'count');
    const clock = handClock();
    const script = `
      const fs = require('fs');
      fs.appendFileSync(${JSON.stringify(counter)}, 'x');
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential',
        status: { token: 't' + fs.readFileSync(${JSON.stringify(counter)}, 'utf8').length, expirationTimestamp: '2026-01-02T04:00:00Z' } }))`;
    const source = sourceOf({ exec: plugin(script) }, { clock });

    const [first, second] = await Promise.all([source.current(signal), source.current(signal)]);
    expect(first).toEqual({ authorization: 'Bearer t1' });
    expect(second).toBe(first);
    clock.advance(3_600_000);
    const third = await source.current(signal);
    expect(third).toEqual({ authorization: 'Bearer t2' });
    expect(source.refused(first)).toBe(true); // of an answer that is not in use any more
    source.refused(third);
    expect(await source.current(signal)).toEqual({ authorization: 'Bearer t3' });
  });

  it('may give a certificate', async () => {
    const exec = plugin(answer({ clientCertificateData: 'C', clientKeyData: 'K' }));
    expect(await sourceOf({ exec }).current(signal)).toEqual({ certificate: { cert: 'C', key: 'K' } });
  });

  it.each<[string, ExecPlugin, string]>([
    [
      'is not installed',
      plugin('', { command: 'no-such-plugin-anywhere', installHint: 'Get it.' }),
      'The credential plugin `no-such-plugin-anywhere` is not installed or not in PATH.',
    ],
    ['fails', plugin('process.exit(3)'), 'ended with exit code 3.'],
    ['is killed', plugin('process.kill(process.pid, "SIGTERM")'), 'ended with SIGTERM.'],
    ['needs a terminal', plugin(answer({ token: 't' }), { interactiveMode: 'Always' }), 'needs input, but there is no terminal.'],
    ['writes no JSON', plugin('console.log("token: abc")'), 'does not return an ExecCredential.'],
    ['writes another object', plugin('console.log("[]")'), 'does not return an ExecCredential.'],
    [
      'answers in another version',
      plugin(answer({ token: 't' }), { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
      'returns a different version than requested.',
    ],
    ['answers nothing', plugin(answer({})), 'returns neither a token nor a certificate.'],
    [
      'answers half a certificate',
      plugin(answer({ clientKeyData: 'abc' })),
      'returns a certificate without its key, or a key without its certificate.',
    ],
    ['never stops writing', plugin('setInterval(() => process.stdout.write("x".repeat(100000)))'), 'writes more output than a credential.'],
  ])('that %s is named, without what it wrote', async (_, exec, message) => {
    const error = await sourceOf({ exec })
      .current(signal)
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'credential-plugin', message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('abc');
  });

  it('that never ends is ended, and so is one that nobody waits for any more', async () => {
    const exec = plugin('setInterval(() => {}, 1000)');
    await expect(sourceOf({ exec }, { pluginMs: 1 }).current(signal)).rejects.toMatchObject({
      message: expect.stringContaining('took too long'),
    });
    await expect(sourceOf({ exec }).current(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});

describe('what has expired', () => {
  const now = new Date(NOW);
  const token = (claims: object) => `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

  it('is told of tokens and certificates that say so', () => {
    const old = certificateAuthority('ca').issue({ commonName: 'a', until: new Date('2025-12-31T00:00:00Z') });
    expect(expiredPart({ certificate: old }, now)).toBe('The client certificate expired on 2025-12-31.');
    expect(expiredPart({ authorization: token({ exp: 1_700_000_000 }) }, now)).toBe('The token expired on 2023-11-14.');
  });

  it.each(['Bearer abc', 'Bearer a.b.c', token({}), token({ exp: 'x' }), token({ exp: 1e300 }), token({ exp: 1_900_000_000 })])(
    'is not guessed: %s',
    (authorization) => {
      expect(expiredPart({ authorization, certificate: { cert: 'no PEM', key: '' } }, now)).toBeUndefined();
    },
  );
});
