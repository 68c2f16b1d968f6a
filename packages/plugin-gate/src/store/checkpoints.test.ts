import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isSignedBy, readCheckpoint, treeRoot } from '../evidence/index.js';
import { type CheckpointWriter, startCheckpoints } from './checkpoints.js';
import { newKey, openFor, optionsFor } from './sqlite/sqlite.test-support.js';
import { adminUnit, decisionUnit } from './testing/units.test-support.js';

describe('checkpoints of a chain', () => {
  async function started() {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dir = join(folder, 'checkpoints');
    const key = newKey();
    const store = await openFor(optionsFor({ key }));
    const ticks: (() => void)[] = [];
    const errors: unknown[] = [];
    let milliseconds = 0;
    const writer: CheckpointWriter = startCheckpoints({
      store,
      signer: key.signer,
      origin: 'example.com/gate',
      dir,
      seconds: 60,
      timer(run, ms) {
        milliseconds = ms;
        ticks.push(run);
        return () => void ticks.pop();
      },
      onError: (error) => errors.push(error),
    });
    return { store, key, dir, folder, ticks, errors, writer, milliseconds: () => milliseconds };
  }

  it('are written in their time, signed, of the whole chain', async () => {
    const { store, key, dir, ticks, writer, milliseconds } = await started();
    await store.decide(decisionUnit('p-1'));
    expect(milliseconds()).toBe(60_000);
    ticks[0]?.();
    await writer.write();
    expect(readdirSync(dir)).toEqual(['0000000000000003.checkpoint']);
    const checkpoint = readCheckpoint(readFileSync(join(dir, '0000000000000003.checkpoint'), 'utf8'));
    const head = await store.head();
    expect(checkpoint).toMatchObject({ origin: 'example.com/gate', size: 3, root: head && treeRoot(head) });
    expect(isSignedBy(checkpoint.note, { name: 'example.com/gate', publicKey: key.signer.publicKey })).toBe(true);
  });

  it('are written only when the head has moved, and at the end', async () => {
    const { store, dir, ticks, writer } = await started();
    await writer.write();
    rmSync(join(dir, '0000000000000001.checkpoint'));
    await writer.write();
    expect(readdirSync(dir)).toEqual([]);
    await store.decide(decisionUnit('p-1'));
    await writer.stop();
    expect(ticks).toEqual([]);
    expect(writer.last()).toBe(3);
    expect(readdirSync(dir)).toEqual(['0000000000000003.checkpoint']);
  });

  it('that cannot be written are said, and tried again', async () => {
    const { dir, errors, writer, folder } = await started();
    writeFileSync(join(folder, 'checkpoints'), 'a file in the place of the folder');
    await writer.write();
    expect(errors).toHaveLength(1);
    rmSync(dir);
    await writer.write();
    expect(readdirSync(dir)).toEqual(['0000000000000001.checkpoint']);
  });

  it('are not signed by a key that is no longer in force', async () => {
    const { store, dir, writer } = await started();
    await writer.write();
    const { signer } = newKey();
    await store.administer(adminUnit({ event: 'rotated', key_id: signer.keyId, public_key: signer.publicKey }, { type: 'key' }));
    await store.decide(decisionUnit('p-1')).catch(() => undefined);
    await writer.write();
    expect(readdirSync(dir)).toEqual(['0000000000000001.checkpoint']);
  });
});
