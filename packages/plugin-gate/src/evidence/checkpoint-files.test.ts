import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstKey, newChain, ORIGIN } from './chain.test-support.js';
import { checkpointNote } from './checkpoint.js';
import { newestCheckpoint, writeCheckpoint } from './checkpoint-files.js';

describe('the folder of checkpoints', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('gives the checkpoint of the largest size', async () => {
    const chain = newChain();
    const folder = join(dir, 'new', 'folder');
    const notes: string[] = [];
    for (let n = 0; n < 11; n++) {
      notes.push(checkpointNote(chain.head, ORIGIN, firstKey));
      await writeCheckpoint(folder, notes.at(-1) ?? '');
      chain.append('admin_action', { n });
    }
    expect((await newestCheckpoint(folder))?.checkpoint.size).toBe(11);
    expect(readdirSync(folder).at(-1)).toBe('0000000000000011.checkpoint');
    expect(readFileSync(join(folder, '0000000000000011.checkpoint'), 'utf8')).toBe(notes.at(-1));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('gives nothing where there is none, and passes over what a crash has left', async () => {
    expect(await newestCheckpoint(join(dir, 'absent'))).toBeUndefined();
    writeFileSync(join(dir, '0000000000000009.checkpoint.77.tmp'), 'half');
    expect(await newestCheckpoint(dir)).toBeUndefined();
  });

  it('says so when the newest is damaged or was renamed', async () => {
    const path = await writeCheckpoint(dir, checkpointNote(newChain().head, ORIGIN, firstKey));
    writeFileSync(join(dir, '0000000000000005.checkpoint'), readFileSync(path));
    await expect(newestCheckpoint(dir)).rejects.toThrow('does not match its file name');
    writeFileSync(join(dir, '0000000000000005.checkpoint'), 'x');
    await expect(newestCheckpoint(dir)).rejects.toThrow(TypeError);
  });
});
