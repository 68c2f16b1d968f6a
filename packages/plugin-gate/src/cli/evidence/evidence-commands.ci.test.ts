import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fixedClock } from '@bylaw/core/clock';
import { openInstallation } from '@bylaw/core/installation';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gateConfigOf } from '../../config/index.js';
import { verifierKeyText } from '../../evidence/index.js';
import { openStore } from '../../store/index.js';
import { revokeKey, rotateKey } from '../keys/change-keys.js';
import { chainKeys } from '../open/chain-keys.js';
import { withStoreToRead } from '../open/read-store.js';
import { writeCheckpointNow } from './checkpoint.js';
import { eraseRecord } from './erase-record.js';
import { EXPORT_FORMATS, exportConfigured } from './export-evidence.js';
import { showRecord } from './show-record.js';
import { reportText, verifyFiles } from './verify-files.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));

/** Flags of `evidence verify` that are not given. */
const NOTHING = { 'require-anchor': false, 'allow-dev': false };

let folder = '';
const at = (name: string) => join(folder, name);
let vkey = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-evidence-'));
  writeFileSync(join(folder, 'bylaw.yaml'), '');
  const { stdout: out } = await promisify(execFile)(process.execPath, [RUN, 'keys', 'init'], { cwd: folder });
  vkey = out.trim();
});
afterAll(() => rmSync(folder, { recursive: true }));

const runShared = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));

async function run(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const { code, stdout, stderr } = await runShared(args, { cwd: folder, env: process.env });
  return { exit: code, out: stdout, err: stderr };
}

const packages = {
  version: '0.0.0',
  plugins: new Map([['gate', { name: '@bylaw/plugin-gate', root: pluginRoot(), pjson: pluginPackage() }]]),
};

function pluginRoot(): string {
  return fileURLToPath(new URL('../../..', import.meta.url));
}

function pluginPackage(): object {
  return JSON.parse(readFileSync(join(pluginRoot(), 'package.json'), 'utf8'));
}

const installation = () => openInstallation(packages, { config: join(folder, 'bylaw.yaml') });

/** Records as many administrative acts. */
async function record(count: number): Promise<void> {
  const { loaded } = await installation();
  const clock = fixedClock('2026-01-02T03:04:05.678Z');
  const store = await openStore({ config: gateConfigOf(loaded.config), base: loaded.base, env: {}, clock, role: 'command' });
  for (let n = 0; n < count; n++)
    await store.administer({
      kind: 'admin',
      type: 'admin_action',
      time: clock.now().toISOString(),
      dev: false,
      reportedBy: 'system',
      data: { action: 'config.load', n },
    });
  await store.close();
}

describe('the commands about keys and evidence', () => {
  it('make a key that only its owner can read, begin the chain, and refuse to do so twice', async () => {
    expect(vkey).toMatch(/^svc\.example\/[0-9a-f-]{36}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
    expect(statSync(join(folder, '.bylaw/signing.key')).mode & 0o777).toBe(0o600);
    expect(await run('keys', 'init')).toMatchObject({
      exit: 3,
      out: '',
      err: expect.stringContaining('The evidence chain already exists'),
    });
  });

  it('record, rotate, revoke and erase, and everything verifies with the first key, in each format', async () => {
    const here = await installation();
    await record(3);
    const { note } = await withStoreToRead(here, (store, config) => writeCheckpointNow(here, store, config));
    writeFileSync(at('kept'), note);
    expect(readFileSync(at('.bylaw/checkpoints/0000000000000004.checkpoint'), 'utf8')).toBe(note);

    await expect(revokeKey(here, { from: 2, reason: 'lost' })).rejects.toMatchObject({ code: 'AG-KEY-002' });
    const { key, recorded } = await rotateKey(here, { reason: 'yearly' });
    expect(recorded?.seq).toEqual([4, 4]);
    expect(statSync(at('.bylaw/signing.key')).mode & 0o777).toBe(0o600);
    expect(await revokeKey(here, { from: 2, reason: 'lost' })).toMatchObject({ from: 2, to: 4 });
    await expect(revokeKey(here, { from: 99, reason: 'lost' })).rejects.toMatchObject({ code: 'AG-EVD-003' });
    expect(await eraseRecord(here, 3, 'a secret')).toMatchObject({ ref: '6' });
    for (const seq of [3, 0, 99]) await expect(eraseRecord(here, seq, 'again')).rejects.toMatchObject({ code: 'AG-EVD-003' });

    for (const format of EXPORT_FORMATS) {
      await exportConfigured(here, { from: 0, format, output: at(`export.${format}`) });
      const report = await verifyFiles([at(`export.${format}`)], {
        ...NOTHING,
        key: vkey,
        checkpoint: [at('kept')],
        'require-anchor': true,
      });
      expect(report).toMatchObject({
        result: 'ok',
        range: { from: 0, to: 6 },
        anchored_to: 3,
        erased_records: 1,
        unexplained_erasures: [],
        revoked: [{ from: 2, to: 4, reason: 'lost' }],
      });
      expect(reportText(report)).toContain('Verified: 7 records, 0 to 6 of chain');
    }

    const keys = await withStoreToRead(here, (store) => chainKeys(store));
    expect(keys).toMatchObject([
      { from: 0, to: 4, revoked_from: 2 },
      { from: 5, to: null, public_key: key.publicKey },
    ]);

    writeFileSync(at('6.tlog-proof'), await showRecord(here, 6, true));
    writeFileSync(at('6.jsonl'), await showRecord(here, 6, false));
    const flags = { ...NOTHING, key: verifierKeyText(key), checkpoint: [at('6.tlog-proof')], 'require-anchor': true };
    expect(await verifyFiles([at('6.jsonl')], flags)).toMatchObject({ exit: 0, anchored_to: 6 });
  });

  it('export a range and types, and say that a choice of types cannot be verified', async () => {
    const part = await run('evidence', 'export', '--from', '1', '--to', '2');
    expect(
      part.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2]);
    const chosen = await run('evidence', 'export', '--type', 'key', '--type', 'genesis');
    expect(
      chosen.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ).toEqual(['genesis', 'key', 'key']);
    expect(chosen.err).toContain('cannot be verified');
    expect(await run('evidence', 'export', '--from', '99')).toEqual({ exit: 0, out: '', err: 'The range contains no records.\n' });
    expect(await run('evidence', 'export', '--format', 'oscal', '--type', 'key')).toMatchObject({ exit: 2, out: '' });
  });

  it('exit with 1 when something was changed, and with 2 when nothing can be verified', async () => {
    writeFileSync(at('changed.jsonl'), readFileSync(at('export.jsonl'), 'utf8').replace('"n":1', '"n":7'));
    const changed = await run('evidence', 'verify', 'changed.jsonl', '--key', vkey, '--checkpoint', 'kept', '--json');
    expect(changed).toMatchObject({ exit: 1, err: '' });
    expect(JSON.parse(changed.out)).toMatchObject({ failures: [{ code: 'data', file: 'changed.jsonl', line: 3, seq: 2 }] });
    expect(await run('evidence', 'verify', 'absent', '--key', vkey)).toEqual({
      exit: 2,
      out: 'Cannot verify the evidence. Cannot read absent (ENOENT).\n',
      err: '',
    });
    for (const [file, key, checkpoint] of [
      ['bylaw.yaml', vkey, 'kept'],
      ['export.jsonl', 'nonsense', 'kept'],
      ['export.jsonl', vkey, 'bylaw.yaml'],
    ] as const)
      expect(await verifyFiles([at(file)], { ...NOTHING, key, checkpoint: [at(checkpoint)] })).toMatchObject({ exit: 2 });
  });

  it('list keys, show records, sign checkpoints and erase from the command line', async () => {
    const listed = await run('keys', 'list');
    expect(listed.out).toContain(`records 0 to 4, revoked from record 2\n  ${vkey}\n`);
    expect(await run('evidence', 'show', '99')).toMatchObject({ exit: 2, err: expect.stringContaining('Record 99 does not exist') });
    const proof = await run('evidence', 'show', '1', '--proof');
    expect(proof.out.startsWith('c2sp.org/tlog-proof@v1\nextra ')).toBe(true);
    const checkpoint = await run('evidence', 'checkpoint');
    expect(checkpoint).toMatchObject({ exit: 0, err: expect.stringContaining('0000000000000007.checkpoint') });
    expect(await run('evidence', 'erase', '1', '--reason', 'a name')).toMatchObject({
      out: 'Record 1 is erased. The erasure is recorded as 7.\n',
    });
    expect(await run('keys', 'revoke', '--from', '5', '--reason', 'lost')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('active key'),
    });
  });

  it.each(['key-1', 'key-2', 'key-3'] as const)(
    'leave a chain that can be gone on with when a rotation is stopped after %s',
    async (step) => {
      const here = await installation();
      const stopped = rotateKey(here, { reason: 'test' }, (reached) => {
        if (reached === step) throw new Error('stopped');
      });
      await expect(stopped).rejects.toThrow('stopped');
      const { recorded } = await rotateKey(here, { reason: 'test' });
      expect(recorded === undefined).toBe(step === 'key-2');
      await record(1);
      await exportConfigured(here, { from: 0, format: 'jsonl', output: at('again.jsonl') });
      expect(await verifyFiles([at('again.jsonl')], { ...NOTHING, key: vkey })).toMatchObject({ exit: 0 });
    },
  );

  it('rotate a key that a variable holds into a file that is named', async () => {
    writeFileSync(join(folder, 'env.yaml'), 'signing: {key_env: GATE_KEY}\n');
    process.env['GATE_KEY'] = readFileSync(join(folder, '.bylaw/signing.key'), 'utf8');
    try {
      expect(await run('keys', 'rotate', '--config', 'env.yaml')).toMatchObject({ exit: 3, err: expect.stringContaining('--out') });
      expect(await run('keys', 'rotate', '--config', 'env.yaml', '--out', 'next.key')).toMatchObject({ exit: 0 });
      expect(await run('evidence', 'checkpoint', '--config', 'env.yaml')).toMatchObject({
        exit: 4,
        err: expect.stringContaining('not the active key'),
      });
      process.env['GATE_KEY'] = readFileSync(join(folder, 'next.key'), 'utf8');
      expect(await run('evidence', 'checkpoint', '--config', 'env.yaml')).toMatchObject({ exit: 0 });
      expect(await run('keys', 'init', '--config', 'env.yaml')).toMatchObject({ exit: 3 });
    } finally {
      delete process.env['GATE_KEY'];
    }
  });
});
