import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ruleThat, runOn } from '../score/history/runs.test-support.js';
import { openScoreStore, readScoreStore, type ScoreStore } from './index.js';

const folder = () => mkdtempSync(join(tmpdir(), 'bylaw-scores-'));
const rules = [ruleThat('CS-001', 2, 'CRITICAL'), ruleThat('SP-001', 0)];

describe('the history of scores on the disk', () => {
  it('gives back what was recorded, in the order of time', () => {
    const path = join(folder(), 'deep', 'scores.db');
    const store = openScoreStore(path);
    for (const day of [3, 1, 2]) store.record(runOn(day, rules));
    store.close();
    const reader = opened(path);
    const runs = reader.runs({ project: 'shop' });
    expect(runs.map(({ commit }) => commit)).toEqual(['c1', 'c2', 'c3']);
    expect(runs[0]).toEqual({ ...runOn(1, rules), id: expect.stringMatching(/^run_[0-9a-f]{20}$/) });
    expect(reader.projects()).toEqual(['shop']);
    reader.close();
  });

  it('brings a file of version 1 up to date when it is written to, and reads one as it is', () => {
    const path = join(folder(), 'scores.db');
    const store = openScoreStore(path);
    store.record(runOn(0, rules, { found: 12 }));
    store.close();
    const db = new DatabaseSync(path);
    db.exec('ALTER TABLE run DROP COLUMN unchecked; ALTER TABLE run DROP COLUMN errors; PRAGMA user_version = 1');
    db.close();
    const gapsOf = (open: (path: string) => ScoreStore | undefined) => {
      const opened = open(path);
      const gaps = opened?.runs({ project: 'shop' }).map(({ commit, unchecked, errors }) => [commit, unchecked, errors]);
      opened?.close();
      return gaps;
    };
    expect(gapsOf(readScoreStore)).toEqual([['c0', 0, 0]]);
    expect(gapsOf(openScoreStore)).toEqual([['c0', 0, 0]]);
    const next = openScoreStore(path);
    next.record(runOn(1, rules, { unchecked: 3, errors: 2 }));
    next.close();
    expect(gapsOf(readScoreStore)).toEqual([
      ['c0', 0, 0],
      ['c1', 3, 2],
    ]);
  });

  it('tells a run with errors from the same run without them', () => {
    const store = openScoreStore(':memory:');
    const { id } = store.record(runOn(0, rules));
    expect(store.record(runOn(0, rules, { errors: 1 })).id).not.toBe(id);
    store.close();
  });

  it('selects by ref and time; a date means the whole day', () => {
    const store = openScoreStore(':memory:');
    for (const day of [0, 1, 2]) store.record(runOn(day, rules, { ref: day === 1 ? 'dev' : 'main' }));
    const commits = (query: object) => store.runs({ project: 'shop', ...query }).map(({ commit }) => commit);
    expect(commits({})).toEqual(['c0', 'c1', 'c2']);
    expect(commits({ ref: 'main' })).toEqual(['c0', 'c2']);
    expect(commits({ from: '2026-01-02', to: '2026-01-02' })).toEqual(['c1']);
    expect(commits({ project: 'other' })).toEqual([]);
    expect(store.hasProject('other')).toBe(false);
    store.close();
  });

  it('records a run of a commit once, and runs without a commit each time', () => {
    const store = openScoreStore(':memory:');
    const first = store.record(runOn(0, rules));
    expect(first.recorded).toBe(true);
    expect(store.record({ ...runOn(0, rules), recordedAt: '2026-03-01T00:00:00.000Z' })).toEqual({ id: first.id, recorded: false });
    expect(store.record(runOn(0, [ruleThat('CS-001', 3)])).recorded).toBe(true);
    expect(store.record(runOn(4, rules, { commit: '' })).recorded).toBe(true);
    expect(store.record(runOn(5, rules, { commit: '' })).recorded).toBe(true);
    expect(store.record(runOn(5, rules, { commit: '' })).recorded).toBe(false);
    expect(store.runs({ project: 'shop' })).toHaveLength(4);
    store.close();
  });

  it('forgets by age and by number, and never the last run', () => {
    const store = openScoreStore(':memory:');
    for (const day of [0, 10, 20]) store.record(runOn(day, rules));
    store.record(runOn(30, rules), { days: 15 });
    expect(store.runs({ project: 'shop' }).map(({ commit }) => commit)).toEqual(['c20', 'c30']);
    store.record(runOn(31, rules), { runs: 1 });
    expect(store.runs({ project: 'shop' }).map(({ commit }) => commit)).toEqual(['c31']);
    store.record(runOn(1, rules, { ref: 'dev' }), { runs: 0 });
    expect(store.runs({ project: 'shop' })).toHaveLength(2);
    store.close();
  });

  it('takes runs of several processes at once, and loses none', async () => {
    const path = join(folder(), 'scores.db');
    const code = `import { openScoreStore } from '@bylaw/core/store';
      const store = openScoreStore(${JSON.stringify(path)});
      const run = ${JSON.stringify(runOn(0, rules))};
      for (let i = 0; i < 20; i++) store.record({ ...run, commit: process.argv[1] + '-' + i });`;
    const writers = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '-e', code, name], { cwd: import.meta.dirname }),
    );
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const store = opened(path);
    expect(store.runs({ project: 'shop' })).toHaveLength(60);
    store.close();
  });
});

describe('a history that cannot be used', () => {
  it('is not made where only reading was asked for', () => {
    const path = join(folder(), 'none.db');
    expect(readScoreStore(path)).toBeUndefined();
    expect(readScoreStore(join(path, 'below'))).toBeUndefined();
    expect(() => readFileSync(path)).toThrow();
  });

  it('is a folder, which is not taken for a history that does not exist yet', () => {
    expect(() => readScoreStore(folder())).toThrow(expect.objectContaining({ code: 'scores-unusable', exitCode: 4 }));
  });

  it('is a file of another kind, which stays as it was', () => {
    const path = join(folder(), 'notes.txt');
    writeFileSync(path, 'not a database, but long enough to be looked at as one, surely? '.repeat(20));
    expect(() => openScoreStore(path)).toThrow(
      expect.objectContaining({ code: 'scores-unusable', message: expect.stringContaining('not an SQLite file') }),
    );
    expect(readFileSync(path, 'utf8')).toMatch(/^not a database/);
  });

  it('is a database of another program, or of a later version', () => {
    const other = join(folder(), 'other.db');
    const db = new DatabaseSync(other);
    db.exec('CREATE TABLE things (id INTEGER)');
    db.close();
    expect(() => openScoreStore(other)).toThrow(
      expect.objectContaining({ code: 'scores-unusable', message: expect.stringContaining('not a history') }),
    );
    const later = join(folder(), 'later.db');
    openScoreStore(later).close();
    const newer = new DatabaseSync(later);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(() => openScoreStore(later)).toThrow(expect.objectContaining({ message: expect.stringContaining('a newer version') }));
  });

  it('is damaged in the middle', () => {
    const path = join(folder(), 'scores.db');
    const store = openScoreStore(path);
    for (let day = 0; day < 200; day++) store.record(runOn(day, rules));
    store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096, bytes.length - 4096);
    writeFileSync(path, bytes);
    expect(() => openScoreStore(path).runs({ project: 'shop' })).toThrow(expect.objectContaining({ code: 'scores-unusable', exitCode: 4 }));
  });

  it('cannot be written', () => {
    const path = join(folder(), 'scores.db');
    openScoreStore(path).close();
    expect(() => opened(path).record(runOn(0, rules))).toThrow(
      expect.objectContaining({ code: 'scores-unusable', message: expect.stringContaining('it is read-only') }),
    );
  });
});

function opened(path: string): ScoreStore {
  return readScoreStore(path) ?? expect.fail('there is no history');
}
