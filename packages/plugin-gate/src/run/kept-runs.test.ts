import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keptRunsFolder, openKeptRuns } from './kept-runs.js';

let folder: string;

beforeEach(() => {
  const base = mkdtempSync(join(tmpdir(), 'bylaw-kept-'));
  folder = join(base, 'bylaw', 'runs');
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
});

const SUBJECT = { proposal: { action: { parameters: { argv: ['mysql', '--password', 'hunter2'] } } } };
const run = (n: number) => ({ proposalId: `p-${n}`, approval: `apr_${n}` });

describe('kept proposals', () => {
  it('are found by the same command only, oldest first', async () => {
    const mine = await openKeptRuns(folder, SUBJECT);
    for (const n of [2, 1, 3]) await mine.keep(run(n));
    const again = await openKeptRuns(folder, structuredClone(SUBJECT));
    expect(await again.find()).toEqual([run(2), run(1), run(3)]);
    const other = await openKeptRuns(folder, { proposal: { action: { parameters: { argv: ['mysql', '--password', 'hunter3'] } } } });
    expect(await other.find()).toEqual([]);
  });

  it('are files that only their owner can read, and say nothing of the command', async () => {
    await (await openKeptRuns(folder, SUBJECT)).keep(run(1));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const names = readdirSync(folder);
    expect(names.sort()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.p-1$/), 'key']);
    for (const name of names) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, name), 'latin1')).not.toMatch(/mysql|hunter/);
    }
  });

  it('have another name under another key, so that nobody can check a guess', async () => {
    await (await openKeptRuns(folder, SUBJECT)).keep(run(1));
    const elsewhere = join(folder, '..', 'other');
    await (await openKeptRuns(elsewhere, SUBJECT)).keep(run(1));
    const [mine] = readdirSync(folder);
    expect(readdirSync(elsewhere)).not.toContain(mine);
  });

  it('can be claimed once', async () => {
    const kept = await openKeptRuns(folder, SUBJECT);
    await kept.keep(run(1));
    expect(await Promise.all(Array.from({ length: 20 }, () => kept.claim(run(1))))).toEqual(expect.arrayContaining([true]));
    expect(await kept.claim(run(1))).toBe(false);
    expect(await kept.find()).toEqual([]);
  });

  it('are claimed by one of several processes', async () => {
    const kept = await openKeptRuns(folder, SUBJECT);
    const program = `
      const { openKeptRuns } = await import(${JSON.stringify(fileURLToPath(new URL('../../dist/run/kept-runs.js', import.meta.url)))});
      const kept = await openKeptRuns(${JSON.stringify(folder)}, ${JSON.stringify(SUBJECT)});
      let won = 0;
      for (let n = 0; n < 50; n++) if (await kept.claim({ proposalId: 'p-' + n, approval: '' })) won++;
      process.stdout.write(String(won));`;
    for (let n = 0; n < 50; n++) await kept.keep(run(n));
    const won = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
        let out = '';
        child.stdout.on('data', (chunk) => {
          out += chunk;
        });
        await once(child, 'close');
        return Number(out);
      }),
    );
    expect(won.reduce((sum, count) => sum + count)).toBe(50);
  });

  it('are at most 256, of which the newest stay', async () => {
    const kept = await openKeptRuns(folder, SUBJECT);
    for (let n = 0; n < 260; n++) await kept.keep(run(n));
    const found = await kept.find();
    expect(found).toHaveLength(256);
    expect(found.at(-1)).toEqual(run(259));
    expect(found.map(({ proposalId }) => proposalId)).not.toContain('p-0');
  });

  it('get one key when several processes begin at once', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openKeptRuns(folder, SUBJECT)));
    await opened[0]?.keep(run(1));
    for (const kept of opened) expect(await kept.find()).toEqual([run(1)]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});

describe('the folder of kept proposals', () => {
  it('is in XDG_STATE_HOME, or in the home if that is not absolute', () => {
    expect(keptRunsFolder({ XDG_STATE_HOME: '/state' })).toBe('/state/bylaw/runs');
    for (const env of [{}, { XDG_STATE_HOME: '' }, { XDG_STATE_HOME: 'relative' }])
      expect(keptRunsFolder(env)).toBe(join(homedir(), '.local/state/bylaw/runs'));
  });

  it.each<[string, () => void]>([
    ['is open to others', () => mkdirSync(folder, { recursive: true, mode: 0o755 })],
    [
      'is a link',
      () => {
        mkdirSync(join(folder, '..', 'real'), { recursive: true, mode: 0o700 });
        symlinkSync(join(folder, '..', 'real'), folder);
      },
    ],
    [
      'has a key that others can read',
      () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, 'key'), Buffer.alloc(32), { mode: 0o644 });
        chmodSync(join(folder, 'key'), 0o644);
      },
    ],
    [
      'has a key of another length',
      () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, 'key'), 'short', { mode: 0o600 });
      },
    ],
    [
      'is a file',
      () => {
        mkdirSync(join(folder, '..'), { recursive: true });
        writeFileSync(folder, '');
      },
    ],
  ])('is refused if it %s', async (_, make) => {
    make();
    await expect(openKeptRuns(folder, SUBJECT)).rejects.toMatchObject({ code: 'AG-RUN-003', hint: expect.any(String) });
  });
});
