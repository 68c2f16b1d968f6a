import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siblingPlugins, withSiblings } from './siblings.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-siblings-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the plugins beside the command line', () => {
  it('are the packages of the two names in the same node_modules, by name', () => {
    for (const name of ['@bylaw/plugin-b', '@bylaw/plugin-a', '@bylaw/core', 'bylaw-plugin-acme', 'other'])
      install(`app/node_modules/${name}`);
    const cli = install('app/node_modules/@bylaw/cli');
    expect(siblingPlugins(cli)).toEqual(['@bylaw/plugin-a', '@bylaw/plugin-b', 'bylaw-plugin-acme']);
  });

  it('come with the package that installs plugins, if it is there', () => {
    install('app/node_modules/@bylaw/plugin-a');
    install('app/node_modules/@oclif/plugin-plugins');
    expect(siblingPlugins(install('app/node_modules/@bylaw/cli'))).toEqual(['@bylaw/plugin-a', '@oclif/plugin-plugins']);
  });

  it('do not include what lies in a folder further up, which was not installed with it', () => {
    install('node_modules/@bylaw/plugin-stray');
    install('node_modules/bylaw-plugin-stray');
    expect(siblingPlugins(install('app/node_modules/@bylaw/cli'))).toEqual([]);
  });

  it('do not include a folder without a package.json', () => {
    const cli = install('node_modules/@bylaw/cli');
    mkdirSync(join(folder, 'node_modules/@bylaw/plugin-half'));
    expect(siblingPlugins(cli)).toEqual([]);
  });

  it('are named to oclif beside its own', () => {
    install('node_modules/@bylaw/plugin-a');
    const cli = install('node_modules/@bylaw/cli', { name: '@bylaw/cli', dependencies: { x: '1' }, oclif: { plugins: ['x'] } });
    expect(withSiblings(cli)).toMatchObject({
      dependencies: { x: '1', '@bylaw/plugin-a': '*' },
      oclif: { plugins: ['x', '@bylaw/plugin-a'] },
    });
  });
});

function install(path: string, description: object = {}): string {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify(description));
  return join(folder, path);
}
