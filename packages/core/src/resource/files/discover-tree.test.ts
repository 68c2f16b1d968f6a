import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discoverIn, newFolder, plant } from './testing/tree.test-support.js';

const FOLDERS = ['', 'a', 'b', 'a/c', 'a/d', 'b/c', 'b/.e', 'a/c/f'];
const NAMES = ['x.yaml', 'y.YML', 'z.json', 'Kustomization', 'notes.txt', 'link', 'up'];
const PLACES = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));

/** What links lead to, from the root of the repository: files and folders, other links, nothing, the metadata of Git, and what is outside. */
const TARGETS = [...PLACES, ...FOLDERS, 'gone', '.git', '.git/config.yaml', '..', '../outside', '../outside/o.yaml', '../outside/o.txt'];

const content = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ link: undefined }) },
  { weight: 5, arbitrary: fc.record({ link: fc.constantFrom(...TARGETS) }) },
);
const trees = fc.uniqueArray(fc.tuple(fc.constantFrom(...PLACES), content), { maxLength: 24, selector: ([place]) => place });

/** A repository of this tree, beside a folder that does not belong to it. */
function repositoryOf(tree: readonly (readonly [string, { link: string | undefined }])[]): string {
  const parent = newFolder();
  plant(parent, { 'repo/.git/config.yaml': 'a: 1\n', 'outside/o.yaml': 'a: 1\n', 'outside/o.txt': 'a: 1\n' });
  plant(parent, Object.fromEntries(FOLDERS.map((folder) => [`repo/${folder}/`, ''])));
  const repo = join(parent, 'repo');
  for (const [place, { link }] of tree)
    plant(repo, { [place]: link === undefined ? 'a: 1\n' : `-> ${relative(dirname(join(repo, place)), resolve(repo, link)) || '.'}` });
  return repo;
}

/** What should be read below a folder of the repository, by real path, and what should be an error, by its own place: found in the plainest way. */
function expected(repo: string, start: string): { read: string[]; errors: string[] } {
  const read = new Set<string>();
  const errors = new Set<string>();
  const folders = new Set([start]);
  const inside = (path: string) => (path === repo || path.startsWith(`${repo}/`)) && !path.startsWith(`${repo}/.git`);
  for (const folder of folders)
    for (const name of readdirSync(folder)) {
      const place = join(folder, name);
      if (place === join(repo, '.git')) continue;
      const isManifest = name === 'Kustomization' || /\.(?:ya?ml|json)$/i.test(name);
      const real = realPath(place);
      if (real === undefined) isManifest && errors.add(place);
      else if (statSync(real).isDirectory()) {
        if (inside(real)) folders.add(real);
        else if (basename(real) !== '.git') errors.add(place);
      } else if (isManifest) (inside(real) ? read : errors).add(inside(real) ? real : place);
    }
  return { read: [...read].sort(), errors: [...errors].sort() };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The same of what was discovered. Every file once: a second time would be a second entry. */
async function discovered(repo: string, ...paths: string[]): Promise<{ read: string[]; errors: string[] }> {
  const { inputs, errors } = await discoverIn(repo, ...paths);
  for (const { file, path = '' } of inputs) expect(realpathSync(join(repo, file))).toBe(path);
  return {
    read: inputs.map(({ path = '' }) => path).sort(),
    errors: errors
      .filter(({ code }) => code !== 'no-manifests')
      .map(({ location }) => join(realpathSync(join(repo, dirname(location?.file ?? ''))), basename(location?.file ?? '')))
      .sort(),
  };
}

describe('a tree of files, folders and links of any kind', () => {
  it('is read whole: each file with the name of a manifest once, and all else with such a name is an error', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.constantFrom('.', 'a', 'b'), async (tree, start) => {
        const repo = repositoryOf(tree);
        const whole = expected(repo, join(repo, start));
        expect(await discovered(repo, start)).toEqual(whole);
        expect(await discovered(repo, `${start}/**/*`)).toEqual(whole);
        expect(await discovered(repo, start, `${start}/**/*`, start)).toEqual(whole);
      }),
      { numRuns: 150 },
    );
  });
});
