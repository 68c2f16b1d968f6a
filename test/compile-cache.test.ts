import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder } from '../packages/cli/bin/compile-cache.js';
import { bylawAlone, folderOf } from './run-cli.js';

/** The folder for a user whose home is this folder. */
const folderFor = (home: string, env: { [name: string]: string } = {}, platform = 'linux') => compileCacheFolder({ home, env, platform });

describe('the compile cache', () => {
  it('is in a folder that only the user may enter, never in the temporary folder', async () => {
    const [home, temporary] = [folderOf(), folderOf()];
    const { code } = await bylawAlone(['rules', '--id', 'CS-001'], { env: { HOME: home, TMPDIR: temporary } });
    expect(code).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    for (const folder of ['.cache/bylaw', '.cache/bylaw/compile']) expect(statSync(join(home, folder)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, '.cache/bylaw/compile'))).toHaveLength(1);
  });

  it('is where each system keeps the caches of a user', () => {
    const home = folderOf();
    expect(folderFor(home)).toBe(join(home, '.cache/bylaw/compile'));
    expect(folderFor(home, { XDG_CACHE_HOME: join(home, 'xdg') })).toBe(join(home, 'xdg/bylaw/compile'));
    expect(folderFor(home, {}, 'darwin')).toBe(join(home, 'Library/Caches/bylaw/compile'));
    expect(folderFor(home, { LOCALAPPDATA: join(home, 'local') }, 'win32')).toBe(join(home, 'local/bylaw/compile'));
  });

  it('is not in a folder relative to the working directory, which may be a repository', () => {
    const home = folderOf();
    expect(folderFor(home, { XDG_CACHE_HOME: '.' })).toBe(join(home, '.cache/bylaw/compile'));
    expect(folderFor(home, { XDG_CACHE_HOME: '' })).toBe(join(home, '.cache/bylaw/compile'));
    expect(folderFor('')).toBeUndefined();
    expect(folderFor(home, {}, 'win32')).toBeUndefined();
  });

  it.each(['.cache', '.cache/bylaw', '.cache/bylaw/compile'])('is not used if others may write to %s', async (folder) => {
    const home = folderOf();
    expect(folderFor(home)).toBeDefined();
    chmodSync(join(home, folder), 0o777);
    expect(folderFor(home)).toBeUndefined();
    expect((await bylawAlone(['--version'], { env: { HOME: home } })).code).toBe(0);
    expect(readdirSync(join(home, '.cache/bylaw/compile'))).toEqual([]);
  });

  it.each(['.cache/bylaw', '.cache/bylaw/compile'])('is not used if %s is a link or a file', (folder) => {
    const [home, elsewhere] = [folderOf({ 'file/.cache/bylaw': '' }), folderOf()];
    mkdirSync(join(home, folder, '..'), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, join(home, folder));
    expect(folderFor(home)).toBeUndefined();
    expect(folderFor(join(home, 'file'))).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0).each(['.cache/bylaw', '.cache/bylaw/compile'])(
    'is not used if %s belongs to somebody else',
    (folder) => {
      const home = folderOf();
      expect(folderFor(home)).toBeDefined();
      chownSync(join(home, folder), 65_534, 65_534);
      expect(folderFor(home)).toBeUndefined();
    },
  );
});
