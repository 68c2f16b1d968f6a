import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { describe, expect, it } from 'vitest';
import { certificateAuthority } from '../testing/authority.test-support.js';
import { temporaryFolder } from '../testing/connected.test-support.js';
import { type AccessOptions, findAccess } from './find-access.js';

const authority = certificateAuthority('some-ca');
const client = authority.issue({ commonName: 'alice' });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig in YAML, with one context `a` unless told. */
function kubeconfig(options: { cluster?: string; user?: string; context?: string; more?: string } = {}): string {
  return `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: ${options.cluster ?? '{server: "https://a.example:6443"}'}}]
users: [{name: u, user: ${options.user ?? '{token: abc}'}}]
contexts: [{name: a, context: ${options.context ?? '{cluster: c, user: u}'}}]
current-context: a
${options.more ?? ''}`;
}

async function written(files: { [name: string]: string }): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function accessBy(text: string, options: Partial<AccessOptions> = {}) {
  const folder = await written({ config: text });
  return { folder, access: await findAccess({ kubeconfig: join(folder, 'config'), env: {}, serviceAccountFolder: folder, ...options }) };
}

async function failure(text: string, options: Partial<AccessOptions> = {}): Promise<BylawError> {
  const error = await accessBy(text, options).catch((each: unknown) => each);
  if (error instanceof BylawError) return error;
  throw new Error('it did not fail as it should');
}

describe('where the kubeconfig is looked for', () => {
  it('takes the file that is named, and nothing else', async () => {
    const folder = await written({ named: kubeconfig(), other: kubeconfig({ cluster: '{server: "https://b.example"}' }) });
    const access = await findAccess({
      kubeconfig: join(folder, 'named'),
      env: { KUBECONFIG: join(folder, 'other') },
      serviceAccountFolder: folder,
    });
    expect(access).toMatchObject({ context: 'a', user: { name: 'u', token: 'abc' } });
    expect(access.server.href).toBe('https://a.example:6443/');
  });

  it('takes ~/.kube/config where KUBECONFIG is not set', async () => {
    const folder = await written({ '.kube/config': kubeconfig() });
    expect(await findAccess({ env: { HOME: folder, KUBECONFIG: '' }, serviceAccountFolder: folder })).toMatchObject({ context: 'a' });
  });

  it('merges the files of KUBECONFIG: the first to name an entry or the current context wins, and a missing file is passed over', async () => {
    const folder = await written({
      first: 'clusters: [{name: c, cluster: {server: "https://first.example"}}]',
      second: `${kubeconfig({ cluster: '{server: "https://second.example", tls-server-name: second}' })}`,
      third: kubeconfig({ user: '{token: third}' }).replace('current-context: a', 'current-context: z'),
    });
    const paths = ['', 'first', 'missing', 'second', 'third', 'first'].map((name) => (name === '' ? '' : join(folder, name)));
    const access = await findAccess({ env: { KUBECONFIG: paths.join(':') }, serviceAccountFolder: folder });
    expect(access).toMatchObject({ context: 'a', tls: { insecure: false }, user: { token: 'abc' } });
    expect(access.server.hostname).toBe('first.example');
    expect(access.tls).not.toHaveProperty('serverName');
  });

  it('says so where the named file does not exist', async () => {
    await expect(findAccess({ kubeconfig: '/nowhere/config', env: {}, serviceAccountFolder: '/nowhere' })).rejects.toMatchObject({
      code: 'kubeconfig-missing',
      exitCode: 2,
    });
  });

  it('says where it looked, where there is none and this is no Pod', async () => {
    await expect(findAccess({ env: { HOME: '/nowhere' }, serviceAccountFolder: '/nowhere' })).rejects.toMatchObject({
      code: 'kubeconfig-missing',
      message: 'No kubeconfig with a context was found in /nowhere/.kube/config.',
    });
  });
});

describe('the account of a Pod', () => {
  const env = { HOME: '/nowhere', KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  it('is taken where there is no kubeconfig', async () => {
    const folder = await written({ token: 'pod-token\n', 'ca.crt': authority.cert });
    const access = await findAccess({ env, serviceAccountFolder: folder });
    expect(access).toMatchObject({
      context: null,
      tls: { insecure: false, ca: authority.cert },
      user: { tokenFile: join(folder, 'token') },
    });
    expect(access.server.href).toBe('https://10.96.0.1/');
  });

  it('is reached over IPv6, too', async () => {
    const folder = await written({ token: 't' });
    const access = await findAccess({ env: { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }, serviceAccountFolder: folder });
    expect(access.server.host).toBe('[fd00::1]');
  });

  it('does not stand for a context that the user names', async () => {
    const folder = await written({ token: 't' });
    await expect(findAccess({ env, context: 'prod', serviceAccountFolder: folder })).rejects.toMatchObject({ code: 'kubeconfig-missing' });
  });

  it('is not taken where there is a kubeconfig', async () => {
    const folder = await written({ token: 't', config: kubeconfig() });
    expect(await findAccess({ env: { ...env, KUBECONFIG: join(folder, 'config') }, serviceAccountFolder: folder })).toMatchObject({
      context: 'a',
    });
  });
});

describe('the context', () => {
  const three = kubeconfig({ more: '' }).replace(
    'contexts: [',
    'contexts: [{name: production, context: {cluster: c, user: u}}, {name: staging, context: {cluster: c}}, ',
  );

  it('is the one that is named', async () => {
    expect((await accessBy(three, { context: 'staging' })).access).toMatchObject({ context: 'staging', user: { name: 'anonymous' } });
  });

  it('that does not exist is answered with the nearest one, and all others', async () => {
    const error = await failure(three, { context: 'prodution' });
    expect(error).toMatchObject({ code: 'context-unknown', hint: 'Did you mean "production"? Known: a, production, staging.' });
  });

  it('must be named where none is current', async () => {
    const error = await failure(three.replace('current-context: a', ''));
    expect(error).toMatchObject({ code: 'context-unknown', hint: 'Choose one with --context. Known: a, production, staging.' });
  });

  it('must be named out of at most twenty, and a count', async () => {
    const many = `contexts: [${Array.from({ length: 25 }, (_, i) => `{name: c${i + 10}, context: {cluster: c}}`).join(', ')}]`;
    expect((await failure(many)).hint).toMatch(/c29 and 5 more\.$/);
  });
});

describe('what a context comes to', () => {
  it('holds certificates from the file itself, which win over files beside it', async () => {
    const { access } = await accessBy(
      kubeconfig({
        cluster: `{server: "https://a.example/k8s/clusters/one/", tls-server-name: other.example, proxy-url: "socks5://127.0.0.1:1080", disable-compression: true, certificate-authority: /nowhere, certificate-authority-data: ${base64(authority.cert)}}`,
        user: `{client-certificate-data: ${base64(client.cert)}, client-key-data: ${base64(client.key)}}`,
      }),
    );
    expect(access).toMatchObject({
      compress: false,
      tls: { ca: authority.cert, insecure: false, serverName: 'other.example' },
      user: { certificate: client },
    });
    expect(access.server.href).toBe('https://a.example/k8s/clusters/one');
    expect(access.proxy?.href).toBe('socks5://127.0.0.1:1080');
  });

  it('finds files beside the kubeconfig', async () => {
    const folder = await written({
      config: kubeconfig({
        cluster: '{server: a.example, certificate-authority: pki/ca.crt}',
        user: '{client-certificate: pki/a.crt, client-key: pki/a.key, tokenFile: token}',
      }),
      'pki/ca.crt': authority.cert,
      'pki/a.crt': client.cert,
      'pki/a.key': client.key,
    });
    const access = await findAccess({ kubeconfig: join(folder, 'config'), env: {}, serviceAccountFolder: folder });
    expect(access).toMatchObject({ tls: { ca: authority.cert }, user: { certificate: client, tokenFile: join(folder, 'token') } });
    expect(access.server.href).toBe('https://a.example/');
  });

  it('finds a credential plugin in PATH, or beside the kubeconfig where its command is a path', async () => {
    const plugin = (command: string) =>
      kubeconfig({ user: `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ${command}, interactiveMode: Never}}` });
    expect((await accessBy(plugin('aws'))).access.user.exec).toMatchObject({ command: 'aws', args: [], env: {} });
    const { folder, access } = await accessBy(plugin('./bin/login'));
    expect(access.user.exec?.command).toBe(join(folder, 'bin/login'));
  });

  it('tells a plugin that asks for it about the cluster', async () => {
    const { access } = await accessBy(
      kubeconfig({
        cluster: '{server: "https://a.example", extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: x}}]}',
        user: '{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: p, args: [a, b], env: [{name: N, value: v}], provideClusterInfo: true, installHint: "brew install p"}}',
      }),
    );
    expect(access.user.exec).toEqual({
      command: 'p',
      args: ['a', 'b'],
      env: { N: 'v' },
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      interactiveMode: 'IfAvailable',
      installHint: 'brew install p',
      cluster: { server: 'https://a.example', config: { audience: 'x' } },
    });
  });

  it('acts as another user where it is told to', async () => {
    const { access } = await accessBy(
      kubeconfig({ user: '{token: t, as: bob, as-uid: "7", as-groups: [x, y], as-user-extra: {scopes: [view]}}' }),
    );
    expect(access.user.impersonate).toEqual({ name: 'bob', uid: '7', groups: ['x', 'y'], extra: { scopes: ['view'] } });
  });

  it('is not disturbed by what is wrong elsewhere in the file', async () => {
    const more = kubeconfig().replace(
      'clusters: [',
      'clusters: [{name: broken, cluster: {server: 7, certificate-authority-data: "?"}}, {name: empty}, ',
    );
    expect((await accessBy(more)).access).toMatchObject({ context: 'a' });
  });
});

describe('a kubeconfig that cannot be used', () => {
  it.each([
    ['no YAML', 'clusters: [', 'The file is not valid YAML'],
    ['keys twice', 'clusters: []\nclusters: []', 'The file is not valid YAML'],
    ['no mapping', '- 1', 'The kubeconfig must be a mapping'],
    ['clusters that are no list', 'clusters: {}', '`clusters` must be a list'],
    ['an entry without a name', 'users: [{user: {}}]', 'This entry of `users` has no name'],
    ['a name twice', 'users: [{name: a}, {name: a}]', '`users` has two entries with this name'],
    ['an entry that is no mapping', 'users: [{name: a, user: 1}]', '`user` must be a mapping'],
    ['a context without a cluster', kubeconfig({ context: '{user: u}' }), 'The context "a" has no cluster'],
    ['a context of an unknown cluster', kubeconfig({ context: '{cluster: x, user: u}' }), 'The kubeconfig has no cluster "x"'],
    ['a context of an unknown user', kubeconfig({ context: '{cluster: c, user: x}' }), 'The kubeconfig has no user "x"'],
    ['a cluster without a server', kubeconfig({ cluster: '{tls-server-name: x}' }), 'The cluster "c" has no server'],
    [
      'a server that is no address',
      kubeconfig({ cluster: '{server: "https://"}' }),
      '`server` must be an address that starts with https:// or http://',
    ],
    [
      'a server of another scheme',
      kubeconfig({ cluster: '{server: "ftp://user:secret@x"}' }),
      '`server` must be an address that starts with',
    ],
    [
      'a proxy of another scheme',
      kubeconfig({ cluster: '{server: x, proxy-url: "quic://secret@x"}' }),
      '`proxy-url` must be an address that starts with',
    ],
    ['a token that is no text', kubeconfig({ user: '{token: 12345}' }), '`token` must be a string'],
    [
      'a switch that is no switch',
      kubeconfig({ cluster: '{server: x, insecure-skip-tls-verify: "true"}' }),
      '`insecure-skip-tls-verify` must be true or false',
    ],
    [
      'trust in nobody and in somebody',
      kubeconfig({ cluster: `{server: x, insecure-skip-tls-verify: true, certificate-authority-data: ${base64(authority.cert)}}` }),
      'A certificate authority has no effect',
    ],
    [
      'an authority that is no PEM',
      kubeconfig({ cluster: '{server: x, certificate-authority-data: c2VjcmV0}' }),
      '`certificate-authority-data` must contain a certificate',
    ],
    ['an authority that is not there', kubeconfig({ cluster: '{server: x, certificate-authority: ca.crt}' }), ': it does not exist'],
    [
      'a certificate without its key',
      kubeconfig({ user: `{client-certificate-data: ${base64(client.cert)}}` }),
      'a client certificate without its key',
    ],
    ['groups without a user to act as', kubeconfig({ user: '{as-groups: [x]}' }), 'Impersonation requires a user name in `as`'],
    ['groups that are no texts', kubeconfig({ user: '{as: x, as-groups: [1]}' }), '`as-groups` must be a list of strings'],
    [
      'extras that are no lists',
      kubeconfig({ user: '{as: x, as-user-extra: {a: b}}' }),
      '`as-user-extra` must be a mapping of lists of strings',
    ],
    ['a plugin without a command', kubeconfig({ user: '{exec: {apiVersion: client.authentication.k8s.io/v1}}' }), 'has no command'],
    [
      'a plugin of a version that is gone',
      kubeconfig({ user: '{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}' }),
      '`apiVersion` of a credential plugin must be',
    ],
    [
      'a plugin of an unknown mode',
      kubeconfig({ user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Maybe}}' }),
      '`interactiveMode` must be one of Never, IfAvailable, Always',
    ],
  ])('is refused for %s, with the place and without its secrets', async (_, text, message) => {
    const error = await failure(text);
    expect(error.code).toBe('kubeconfig-invalid');
    expect(error.message).toContain(message);
    expect(error.location).toMatchObject({ line: expect.any(Number), file: expect.stringMatching(/config$/) });
    expect(`${error.message} ${error.hint}`).not.toMatch(/12345|secret|c2VjcmV0/);
  });

  it('is refused where it is a directory', async () => {
    const folder = await temporaryFolder();
    await expect(findAccess({ kubeconfig: folder, env: {}, serviceAccountFolder: folder })).rejects.toMatchObject({
      code: 'kubeconfig-invalid',
      message: `Cannot read the kubeconfig ${folder}: it is a directory.`,
    });
  });

  it('is refused where it is empty', async () => {
    expect(await failure('')).toMatchObject({ code: 'context-unknown', hint: 'Choose one with --context. It has no contexts.' });
  });
});
