import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBreaches, loadConfig } from '@bylaw/core/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkGateConfig } from './check-config.js';
import { gateConfigOf } from './gate-config.js';
import { GATE_SECTIONS } from './sections.js';
import { variableSettings } from './variable-settings.js';

const SECRET = '0123456789abcdef0123456789abcdef';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bylaw-gate-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(yaml: string, env: Record<string, string> = {}) {
  await writeFile(join(folder, 'bylaw.yaml'), yaml);
  const loaded = await loadConfig({ cwd: folder, env, plugins: [{ plugin: 'gate', sections: GATE_SECTIONS }] });
  checkBreaches(loaded, checkGateConfig(loaded.config, env));
  return loaded.config;
}

const refusal = (yaml: string, env: Record<string, string> = {}) =>
  load(yaml, env).then(
    () => 'nothing',
    (error: Error & { location?: { line: number } }) => `${error.location?.line}: ${error.message}`,
  );

describe('the sections of the gate', () => {
  it('have the defaults of the specification and of the design (gate/config.1) (gate/config.2) (gate/config.3)', async () => {
    const gate = gateConfigOf(await load(''));
    expect(gate.api).toMatchObject({
      max_clock_skew_seconds: 300,
      rate_limit: { per_adapter_rps: 100, per_principal_rps: 20 },
      queue_limit: 2000,
      export_concurrency: 2,
      problems_url: 'https://svc.invalid/problems',
      port: 8000,
    });
    expect({ ...gate, api: undefined }).toEqual({
      api: undefined,
      store: { kind: 'sqlite', path: '.bylaw/gate.sqlite' },
      signing: { key_file: '.bylaw/signing.key' },
      policy: {},
      enforcement: { mode: 'enforcing', adapters: {} },
      adapters: [],
      approvers: [],
      approvals: { allow_unsigned: false, sweep_seconds: 30 },
      evidence: { checkpoint_dir: '.bylaw/checkpoints', checkpoint_seconds: 60 },
      oscal: { version: '1.1.2', controls: ['AU-2', 'AU-3', 'AU-10', 'AU-12', 'AC-3', 'CM-3'] },
    });
  });

  it('complete what a file gives in part', async () => {
    const gate = gateConfigOf(
      await load(
        'api: {rate_limit: {per_adapter_rps: 0.5}}\nstore: {kind: postgres, dsn_env: PG}\nsigning: {key_env: KEY}\nenforcement: {adapters: {ci: shadow}}',
      ),
    );
    expect(gate.api.rate_limit).toEqual({ per_adapter_rps: 0.5, per_principal_rps: 20 });
    expect(gate.store).toEqual({ kind: 'postgres', dsn_env: 'PG', sequence_wait_ms: 250, poll_ms: 20 });
    expect(gate.signing).toEqual({ key_env: 'KEY' });
    expect(gate.enforcement).toEqual({ mode: 'enforcing', adapters: { ci: 'shadow' } });
  });

  it.each([
    [
      'a negative limit of adapters (gate/limits.1)',
      'api: {rate_limit: {per_adapter_rps: -1}}',
      '1: `api.rate_limit.per_adapter_rps` must be 0 (off) or more.',
    ],
    [
      'a negative limit of principals (gate/limits.1)',
      'api: {rate_limit: {per_principal_rps: -0.001}}',
      '1: `api.rate_limit.per_principal_rps` must be 0 (off) or more.',
    ],
    ['a skew of more than an hour', 'api: {max_clock_skew_seconds: 3601}', '1: `api.max_clock_skew_seconds` must be <= 3600.'],
    ['a skew that is no integer', 'api: {max_clock_skew_seconds: 1.5}', '1: `api.max_clock_skew_seconds` must be integer.'],
    ['PostgreSQL without its variable', 'store: {kind: postgres}', '1: `store` must have the field `dsn_env`.'],
    ['a database with SQLite', 'store: {dsn_env: PG}', '1: `store.dsn_env` is valid only with store.kind: postgres.'],
    ['a file with PostgreSQL', 'store: {kind: postgres, dsn_env: PG, path: x}', '1: `store.path` is valid only with store.kind: sqlite.'],
    ['two places of the key', 'signing: {key_file: a, key_env: B}', '1: `signing` must not have both key_file and key_env.'],
    ['several servers on one file', 'store: {replicas: 2}', '1: Several servers cannot share one SQLite file.'],
    ['an unknown mode', 'enforcement: {mode: audit}', '1: `enforcement.mode` must be one of enforcing, shadow.'],
    ['a mode of what cannot be an adapter', 'enforcement: {adapters: {Ci: shadow}}', '1: `enforcement.adapters` must match the pattern'],
    ['an adapter without a variable', 'adapters: [{adapter_id: ci, kind: ci}]', '1: `adapters.0` must have the field `secret_env`.'],
    [
      'a secret in the file (gate/auth.6)',
      'adapters: [{adapter_id: ci, kind: ci, secret: abc, secret_env: A}]',
      'Unknown field `secret` in `adapters.0`',
    ],
    [
      "dev mode's name",
      'adapters: [{adapter_id: dev-unauthenticated, kind: ci, secret_env: A}]',
      '1: `adapters.0.adapter_id` is reserved for dev mode.',
    ],
  ])('refuse %s', async (_what, yaml, message) => {
    expect(await refusal(yaml)).toContain(message);
  });
});

describe('the paths of a configuration that was found', () => {
  it.each([
    ['store.path', 'store: {path: /tmp/gate.sqlite}'],
    ['signing.key_file', 'signing: {key_file: ../signing.key}'],
    ['policy.bundle', 'policy: {bundle: /etc}'],
    ['evidence.checkpoint_dir', 'evidence: {checkpoint_dir: ..}'],
  ])('stay in its folder, unless somebody names it: %s', async (key, yaml) => {
    expect(await refusal(yaml)).toMatch(new RegExp(`^1: \`${key}\` .* leads out of the folder of the configuration`));
    await expect(load(yaml, { SVC_CONFIG: join(folder, 'bylaw.yaml') })).resolves.toBeDefined();
  });
});

describe('the adapters of a configuration', () => {
  const two = (first: string, second: string) => `adapters:\n  - ${first}\n  - ${second}\n`;

  it('have each their own id', async () => {
    const yaml = two('{adapter_id: ci, kind: ci, secret_env: A}', '{adapter_id: ci, kind: ci, secret_env: B}');
    expect(await refusal(yaml)).toBe('3: Two adapters have the same `adapter_id`.');
  });

  it('have each their own variable, and another one for the previous secret', async () => {
    const same = two('{adapter_id: a, kind: ci, secret_env: A}', '{adapter_id: b, kind: ci, secret_env: A}');
    expect(await refusal(same)).toMatch(/^3: Two secrets use the same variable/);
    expect(await refusal('adapters: [{adapter_id: a, kind: ci, secret_env: A, previous_secret_env: A}]')).toMatch(/use the same variable/);
    const crossed = two('{adapter_id: a, kind: ci, secret_env: A, previous_secret_env: B}', '{adapter_id: b, kind: ci, secret_env: B}');
    expect(await refusal(crossed)).toMatch(/use the same variable/);
  });

  it('have each their own secret, which no message shows', async () => {
    const yaml = two('{adapter_id: a, kind: ci, secret_env: A}', '{adapter_id: b, kind: ci, secret_env: B}');
    const said = await refusal(yaml, { A: SECRET, B: SECRET });
    expect(said).toMatch(/^3: Two variables hold the same secret/);
    expect(said).not.toContain(SECRET);
    expect(await refusal(yaml, { A: SECRET, B: `${SECRET}x` })).toBe('nothing');
    expect(await refusal(yaml, { A: '', B: '' })).toBe('nothing');
  });

  it('show whether their variables are set and long enough, never the value (gate/auth.7)', async () => {
    const config = await load(
      two('{adapter_id: a, kind: ci, secret_env: A, previous_secret_env: A_2}', '{adapter_id: b, kind: sdk, secret_env: B}'),
    );
    const shown = variableSettings(config, { A: SECRET, B: SECRET.slice(1) });
    expect(shown.map(({ key, value, source }) => [key, value, source])).toEqual([
      ['adapters.a.secret_env', 'set', 'A'],
      ['adapters.a.previous_secret_env', 'unset', 'A_2'],
      ['adapters.b.secret_env', 'too short', 'B'],
    ]);
    expect(JSON.stringify(shown)).not.toContain(SECRET.slice(1));
    expect(variableSettings(config, { A: `${SECRET} ` })[0]?.value).toBe('padded');
  });
});
