import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { checkPackSettings, effectiveConfig, loadConfig } from './load-config.js';
import type { OwnedSections } from './sections.js';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bylaw-config-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const write = (text: string | Uint8Array, file = 'bylaw.yaml') => writeFile(join(cwd, file), text);

async function refusal(text: string | Uint8Array, options: Partial<Parameters<typeof loadConfig>[0]> = {}): Promise<BylawError> {
  await write(text);
  const error = await loadConfig({ cwd, env: {}, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BylawError)) throw new Error(`expected a BylawError, got ${String(error)}`);
  return error;
}

const place = ({ location }: BylawError) => `${location?.file}:${location?.line}:${location?.column}`;

const gate: OwnedSections = {
  plugin: 'gate',
  sections: {
    api: {
      description: 'More.',
      properties: { queue_limit: { description: 'Requests that may wait.', type: 'integer', minimum: 1, default: 2000 } },
    },
    store: {
      description: 'Where records are kept.',
      oneOf: [
        {
          type: 'object',
          additionalProperties: false,
          required: ['kind'],
          properties: { kind: { const: 'sqlite' }, path: { type: 'string' } },
        },
        {
          type: 'object',
          additionalProperties: false,
          required: ['kind', 'dsn_env'],
          properties: { kind: { const: 'postgres' }, dsn_env: { type: 'string' } },
        },
      ],
    },
  },
};

describe('without a file', () => {
  it('gives the defaults', async () => {
    const { config, file, dataDir, remote } = await loadConfig({ cwd, env: { SVC_CONFIG: '' } });
    expect(file).toBeUndefined();
    expect(config.api).toMatchObject({ host: '127.0.0.1', port: 8000, keys: [], max_body_bytes: 16 * 1024 * 1024, open_paths: [] });
    expect(config.evaluate).toEqual({
      fail_on: 'HIGH',
      exceptions: 'all',
      undecided: 'warn',
      exclude_rules: [],
      rule_dirs: [],
      namespace: 'default',
    });
    expect(config.exceptions).toEqual([]);
    expect(config.scores).toEqual({});
    expect(dataDir).toBe(join(cwd, '.bylaw'));
    expect(remote).toEqual({});
  });

  it('gives every caller values of its own', async () => {
    const first = await loadConfig({ cwd, env: {} });
    first.config.api.keys.push({ id: 'x', sha256: 'x' });
    expect((await loadConfig({ cwd, env: {} })).config.api.keys).toEqual([]);
  });
});

describe('finding the file', () => {
  it('ends the search at the top of the repository, in a clone, a worktree and a submodule', async () => {
    for (const below of ['clone/.git', 'clone/deploy', 'tree', 'plain']) await mkdir(join(cwd, below), { recursive: true });
    await write('api: { port: 1 }\n');
    await write('gitdir: ../clone/.git/worktrees/tree\n', 'tree/.git');
    const portIn = async (below: string) => (await loadConfig({ cwd: join(cwd, below), env: {} })).config.api.port;
    expect(await portIn('clone')).toBe(8000);
    expect(await portIn('clone/deploy')).toBe(8000);
    expect(await portIn('tree')).toBe(8000);
    expect(await portIn('plain')).toBe(1);
    await write('api: { port: 2 }\n', 'clone/bylaw.yaml');
    expect(await portIn('clone/deploy')).toBe(2);
  });

  it('takes the nearest bylaw.yaml upwards, and resolves its paths against its own folder', async () => {
    await write('evaluate: {rule_dirs: [rules], baseline: known.json}\napi: {client_ca: clients.crt}\nscores: {path: history.db}\n');
    const below = join(cwd, 'a', 'b');
    await mkdir(below, { recursive: true });
    const { config, base, dataDir } = await loadConfig({ cwd: below, env: {} });
    expect(base).toBe(cwd);
    expect(config.evaluate.rule_dirs).toEqual([join(cwd, 'rules')]);
    expect(config.evaluate.baseline).toBe(join(cwd, 'known.json'));
    expect(config.scores.path).toBe(join(cwd, 'history.db'));
    expect(config.api.client_ca).toBe(join(cwd, 'clients.crt'));
    expect(dataDir).toBe(join(cwd, '.bylaw'));
  });

  it('takes --config before SVC_CONFIG before the search', async () => {
    await write('api: {port: 1}');
    await write('api: {port: 2}', 'two.yaml');
    await write('api: {port: 3}', 'three.yaml');
    expect((await loadConfig({ cwd, env: {} })).config.api.port).toBe(1);
    expect((await loadConfig({ cwd, env: { SVC_CONFIG: 'two.yaml' } })).config.api.port).toBe(2);
    expect((await loadConfig({ cwd, path: 'three.yaml', env: { SVC_CONFIG: 'two.yaml' } })).config.api.port).toBe(3);
  });

  it('refuses a named file that does not exist or is a folder', async () => {
    for (const path of ['nowhere.yaml', '.'])
      await expect(loadConfig({ cwd, path, env: {} })).rejects.toMatchObject({ code: 'config-not-found' });
  });
});

describe('precedence', () => {
  it('is flag, environment, file, default, and each value says where it came from', async () => {
    await write('api:\n  host: 0.0.0.0\n  port: 1111\n');
    const options = { cwd, env: { SVC_PORT: '2222' }, flags: { port: 3333 } };
    const origins = async (part: object) => {
      const settings = effectiveConfig(await loadConfig({ ...options, ...part }));
      return settings
        .filter(({ key }) => key === 'api.port' || key === 'api.host')
        .map(({ value, origin, source }) => [value, origin, source]);
    };
    expect(await origins({})).toEqual([
      ['0.0.0.0', 'file', 'bylaw.yaml:2:3'],
      [3333, 'flag', '--port'],
    ]);
    expect((await origins({ flags: {} }))[1]).toEqual([2222, 'environment', 'SVC_PORT']);
    expect((await origins({ flags: {}, env: {} }))[1]).toEqual([1111, 'file', 'bylaw.yaml:3:3']);
    await write('');
    expect((await origins({ flags: {}, env: { SVC_PORT: '' } }))[1]).toEqual([8000, 'default', undefined]);
  });

  it('checks flags and variables like the file, and names them', async () => {
    await expect(loadConfig({ cwd, env: { SVC_PORT: 'http' } })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('SVC_PORT'),
    });
    await expect(loadConfig({ cwd, env: {}, flags: { port: 70000 } })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('--port'),
    });
    await expect(loadConfig({ cwd, env: { SVC_HOST: 'a b' } })).rejects.toMatchObject({ message: expect.stringContaining('SVC_HOST') });
  });

  it('takes data folder and remote server from flag or environment, and never shows the key', async () => {
    const env = { SVC_DATA_DIR: 'state', SVC_API_URL: 'https://bylaw.example.com/', SVC_API_KEY: 's3cret' };
    const loaded = await loadConfig({ cwd, env });
    expect(loaded.dataDir).toBe(join(cwd, 'state'));
    expect(loaded.remote).toEqual({ url: 'https://bylaw.example.com', key: 's3cret' });
    expect(JSON.stringify(effectiveConfig(loaded))).not.toContain('s3cret');
    expect((await loadConfig({ cwd, env, flags: { remote: 'http://localhost:1', 'data-dir': '/d' } })).remote.url).toBe(
      'http://localhost:1',
    );
    for (const url of ['ftp://x', 'nonsense', 'https://user:pass@x', 'https://x/?q'])
      await expect(loadConfig({ cwd, env: { SVC_API_URL: url } })).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe('a file that is wrong', () => {
  it.each([
    ['an unknown section', 'aip: {}\n', 'bylaw.yaml:1:1', 'did you mean `api`?'],
    ['an unknown setting', 'api:\n  prot: 1\n', 'bylaw.yaml:2:3', 'did you mean `port`?'],
    ['a wrong type', 'api:\n  port: http\n', 'bylaw.yaml:2:3', 'must be integer'],
    ['a severity that is none', 'evaluate:\n  fail_on: HIHG\n', 'bylaw.yaml:2:3', 'did you mean HIGH?'],
    [
      'a key that is no digest',
      'api:\n  keys:\n    - {id: ci, sha256: secret}\n',
      'bylaw.yaml:3:16',
      'must match the pattern ^[0-9a-f]{64}$.',
    ],
    ['no mapping', '- a\n', 'bylaw.yaml:1:1', 'must be object'],
    ['a syntax error', 'api: {port: 1\n', 'bylaw.yaml:2:1', 'not valid YAML'],
    ['a tab', 'api:\n\tport: 1\n', 'bylaw.yaml:2:1', 'not valid YAML'],
    ['a key twice', 'api: {port: 1}\napi: {port: 2}\n', 'bylaw.yaml:2:1', 'not valid YAML'],
    ['two documents', 'api: {}\n---\napi: {}\n', 'bylaw.yaml:2:1', 'not valid YAML'],
    ['a key of the prototype', '__proto__: {}\n', 'bylaw.yaml:1:1', '`__proto__`'],
    ['too deep nesting', `api: ${'['.repeat(100_000)}`, /^bylaw.yaml:1:[0-9]+$/, 'nested too deeply'],
    ['a file over 1 MiB', `# ${'a'.repeat(1024 * 1024)}\n`, 'bylaw.yaml:1:1', 'larger than'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff]), 'bylaw.yaml:1:1', 'not UTF-8'],
    [
      'a key name used twice',
      `api: {keys: [{id: a, sha256: ${'a'.repeat(64)}}, {id: a, sha256: ${'b'.repeat(64)}}]}`,
      'bylaw.yaml:1:98',
      'same `id`',
    ],
  ])('is refused with its place: %s', async (_name, text, at, message) => {
    const error = await refusal(text);
    expect(error.code).toBe('config-invalid');
    expect(error.exitCode).toBe(3);
    expect(error.message).toContain(message);
    expect(place(error)).toEqual(at instanceof RegExp ? expect.stringMatching(at) : at);
  });

  it('names every error, not only the first', async () => {
    const error = await refusal('api:\n  prot: 1\nevaluate:\n  fail_on: BAD\n');
    expect(error.message).toContain('`prot`');
    expect(error.message).toContain('bylaw.yaml:4:3: ');
  });

  it('refuses exceptions that have no reason, no such day, or an unknown member', async () => {
    const wrong = (entry: string) => refusal(`exceptions:\n  - ${entry}\n`);
    expect(await wrong('{rule: CS-001}')).toMatchObject({ code: 'exception-invalid', message: expect.stringContaining('`reason`') });
    expect(await wrong('{rule: CS-001, reason: " "}')).toMatchObject({ code: 'exception-invalid' });
    expect(await wrong('{rule: CS-001, reason: ok, expires: 2026-02-30}')).toMatchObject({ code: 'exception-invalid' });
    expect(await wrong('{rule: CS-1, reason: ok}')).toMatchObject({ code: 'exception-invalid' });
    expect(await wrong('{rule: CS-001, reason: ok, nam: x}')).toMatchObject({ message: expect.stringContaining('did you mean `name`?') });
    await write('exceptions:\n  - {rule: CS-*, reason: ok, expires: 2026-02-28, name: "web-*"}\n');
    expect((await loadConfig({ cwd, env: {} })).config.exceptions).toEqual([
      { rule: 'CS-*', reason: 'ok', expires: '2026-02-28', name: 'web-*' },
    ]);
  });

  it('takes a section without a value as the defaults', async () => {
    await write('api:\nevaluate:\n  # fail_on: LOW\n');
    expect((await loadConfig({ cwd, env: {} })).config.evaluate.fail_on).toBe('HIGH');
  });

  it('never fails with anything but a BylawError, whatever the file holds', async () => {
    const word = fc.constantFrom(
      'api',
      'keys',
      'id',
      '__proto__',
      'constructor',
      'exceptions',
      'rule',
      '*a',
      '&a',
      '<<',
      ': ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '\n',
      '  ',
      '"',
      "'",
      '|',
      '#',
      '!!',
      '\t',
      '\0',
      '1e999',
      '~',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join('')),
        ),
        async (text) => {
          await write(text);
          const error = await loadConfig({ cwd, env: {} }).then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error === undefined || error instanceof BylawError).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('sections of plugins', () => {
  it('are unknown without the plugin, and known with it', async () => {
    expect(await refusal('store: {kind: sqlite}')).toMatchObject({ code: 'config-invalid' });
    const { config } = await loadConfig({ cwd, env: {}, plugins: [gate] });
    expect(config.store).toEqual({ kind: 'sqlite' });
    expect(config.api).toMatchObject({ port: 8000, queue_limit: 2000 });
  });

  it('are checked by the schema of the plugin', async () => {
    expect(await refusal('api: {queue_limit: 0}', { plugins: [gate] })).toMatchObject({ code: 'config-invalid' });
    expect(place(await refusal('# comment\nstore:\n  kind: mysql\n', { plugins: [gate] }))).toMatch(/^bylaw.yaml:[23]:/);
  });

  it('belong to one owner', async () => {
    const claims = (sections: OwnedSections['sections']) => loadConfig({ cwd, env: {}, plugins: [gate, { plugin: 'other', sections }] });
    const description = 'Mine.';
    for (const sections of [
      { store: { description } },
      { evaluate: { description } },
      { api: { description, properties: { port: { description } } } },
    ])
      await expect(claims(sections)).rejects.toMatchObject({ code: 'plugin-invalid', message: expect.stringContaining('other') });
    await expect(claims({ api: { description, properties: { queue_limit: { description } } } })).rejects.toMatchObject({
      code: 'plugin-invalid',
    });
  });

  it('names plugins that are not installed, with the nearest one', async () => {
    const error = await refusal('plugins:\n  - k8s\n  - claud\n', { installed: ['k8s', 'cloud'] });
    expect(error.message).toContain('did you mean `cloud`?');
    expect(place(error)).toBe('bylaw.yaml:3:5');
  });
});

describe('settings of packs', () => {
  const packs = [
    {
      name: 'k8s',
      settings: { allowed: { description: 'Registries.', default: [], type: 'array', items: { type: 'string' } } },
      constants: {},
    },
  ];

  it('are checked against what the installed packs declare', async () => {
    await write('packs:\n  k8s:\n    alowed: [a]\n');
    const loaded = await loadConfig({ cwd, env: {} });
    expect(() => checkPackSettings(loaded, { packs })).toThrow('did you mean `allowed`?');
    await write('packs: {k8s: {allowed: [a]}, other: {x: 1}}');
    const good = await loadConfig({ cwd, env: {} });
    expect(() => checkPackSettings(good, { packs })).not.toThrow();
  });
});
