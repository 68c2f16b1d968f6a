import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { firstKey, inBatches, joinChunks, memoryFile, newChain, ORIGIN, secondKey } from '../chain.test-support.js';
import { CHAIN_ID } from '../chain-names.test-support.js';
import { exportJsonl } from '../export/jsonl.js';
import { exportOscal } from '../export/oscal.js';
import { oscalSettings } from '../export/oscal-settings.js';
import { verifierKeyText } from '../note.js';
import type { StoredRecord } from '../record.js';
import { verifyEvidence } from './verify-evidence.js';

const key = { name: ORIGIN, publicKey: firstKey.publicKey };
const folder = mkdtempSync(join(tmpdir(), 'bylaw-signatures-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** So many that other threads check the last five messages. The key changes on the way. */
const chain = newChain();
for (let number = 0; number < 1300; number++) chain.decide(`p-${number}`);
chain.rotate(secondKey);
for (let number = 1300; number < 1500; number++) chain.decide(`p-${number}`);

/** Damage of several kinds, in records that are checked here, on threads, before and after the rotation. */
const damaged: StoredRecord[] = chain.records.map((record) => {
  const sig = `${record.sig.startsWith('A') ? 'B' : 'A'}${record.sig.slice(1)}`;
  if (record.seq % 700 === 5 || [2599, 2600, 2601, 2602, 2603].includes(record.seq)) return { ...record, sig };
  if (record.seq % 900 === 8) return { ...record, sig, data: record.data?.replace('acme', 'acne') ?? null };
  return record;
});
const jsonl = (records: readonly StoredRecord[]) => joinChunks(exportJsonl(inBatches(records)));

describe('signatures that are checked on several threads', () => {
  it('verify as on one', async () => {
    const file = memoryFile('export', await jsonl(chain.records));
    const alone = await verifyEvidence([file], { key });
    expect(alone).toMatchObject({ exit: 0, range: { records: 3002 } });
    expect(await verifyEvidence([file], { key, threads: 3 })).toEqual(alone);
  });

  it.each(['jsonl', 'oscal'])('fail in the order of the records, with all other faults, in %s', async (format) => {
    const settings = oscalSettings({ version: '1.1.2', controls: ['AC-3'] }, CHAIN_ID, []);
    const exported = format === 'jsonl' ? exportJsonl(inBatches(damaged)) : exportOscal(() => inBatches(damaged), settings);
    const file = memoryFile('export', await joinChunks(exported));
    const alone = await verifyEvidence([file], { key });
    if (alone.result !== 'failed') throw new Error('the damage was not found');
    expect(alone.failures.map(({ seq }) => seq)).toEqual(alone.failures.map(({ seq }) => seq).toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(alone.failures.map(({ code }) => code))).toEqual(new Set(['signature', 'data']));
    expect(await verifyEvidence([file], { key, threads: 3 })).toEqual(alone);
  });

  it('end before a line that is not a record, and say what was before it', async () => {
    const lines = (await jsonl(damaged)).toString().split('\n');
    lines[2900] = 'no record';
    const file = memoryFile('export', lines.join('\n'));
    const alone = await verifyEvidence([file], { key });
    if (alone.result !== 'failed') throw new Error('the damage was not found');
    expect(alone.failures.at(-1)).toMatchObject({ code: 'malformed', line: 2901 });
    expect(await verifyEvidence([file], { key, threads: 2 })).toEqual(alone);
  });

  it('keep the command alive until all are checked, and change nothing of what it prints', async () => {
    const path = join(folder, 'damaged.jsonl');
    writeFileSync(path, await jsonl(damaged));
    const run = (...threads: string[]) => {
      const bylaw = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));
      const args = [bylaw, 'evidence', 'verify', path, '--key', verifierKeyText(key), '--json', ...threads];
      try {
        return execFileSync(process.execPath, args, { encoding: 'utf8' });
      } catch (error) {
        return (error as { stdout: string }).stdout; // it exits with 1
      }
    };
    const alone = run('--threads', '0');
    expect(JSON.parse(alone)).toMatchObject({ result: 'failed', range: { records: 3002 } });
    expect(run()).toBe(alone);
  });
});
