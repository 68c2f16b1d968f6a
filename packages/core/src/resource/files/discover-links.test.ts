import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asNobody } from '../../testing/as-nobody.test-support.js';
import { splitDocuments } from '../input/split.js';
import { discoverIn, errorsOf, namesOf, newFolder, plant, reasonsOf } from './testing/tree.test-support.js';

const POD = 'apiVersion: v1\nkind: Pod\n';

/** A folder that is a Git repository, with this tree. */
function repository(tree: { readonly [path: string]: string }): string {
  const folder = newFolder();
  plant(folder, { '.git/': '', ...tree });
  return folder;
}

describe('links below a folder', () => {
  it('are followed to files and folders of the repository that holds it, under the names of the links', async () => {
    const cwd = repository({
      'base/app.yaml': POD,
      'base/more/b.yaml': POD,
      'prod/app.yaml': '-> ../base/app.yaml',
      'prod/more': '-> ../base/more',
    });
    const found = await discoverIn(cwd, 'prod');
    expect([namesOf(found), errorsOf(found), found.notes]).toEqual([['prod/app.yaml', 'prod/more/b.yaml'], [], []]);
    expect(found.inputs.map(({ path }) => path)).toEqual([join(cwd, 'base/app.yaml'), join(cwd, 'base/more/b.yaml')]);
  });

  it('are followed within the folder without a repository, too, and what they lead to is read once, under its own name', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'k8s/z/app.yaml': POD,
      'k8s/a.yaml': '-> z/app.yaml',
      'k8s/b': '-> z',
      'k8s/c.yaml': '-> a.yaml',
      'k8s/d/app.yml': '-> ../a.yaml',
    });
    const found = await discoverIn(cwd, 'k8s');
    expect([namesOf(found), errorsOf(found)]).toEqual([['k8s/z/app.yaml'], []]);
  });

  it('give what two of them lead to the name of the first', async () => {
    const cwd = repository({
      'base/x/app.yaml': POD,
      'prod/b': '-> ../base/x',
      'prod/a': '-> ../base',
      'prod/c.yaml': '-> ../base/x/app.yaml',
    });
    expect(namesOf(await discoverIn(cwd, 'prod'))).toEqual(['prod/a/x/app.yaml']);
  });

  it('end where they lead in circles', async () => {
    const cwd = repository({
      'k8s/a.yaml': POD,
      'k8s/x/b.yaml': POD,
      'k8s/self': '-> .',
      'k8s/x/up': '-> ..',
      'k8s/x/top': '-> ../..',
      'other/c.yaml': POD,
    });
    const found = await discoverIn(cwd, 'k8s');
    expect([namesOf(found), errorsOf(found)]).toEqual([['k8s/a.yaml', 'k8s/x/b.yaml', 'k8s/x/top/other/c.yaml'], []]);
  });

  it('are followed out of a worktree or submodule no further than to its own root', async () => {
    const cwd = repository({
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/k8s/a.yaml': '-> ../b.yaml',
      'sub/b.yaml': POD,
      'sub/k8s/o.yaml': '-> ../../o.yaml',
      'o.yaml': POD,
    });
    const found = await discoverIn(cwd, 'sub/k8s');
    expect([namesOf(found), errorsOf(found)]).toEqual([['sub/k8s/a.yaml'], ['link-not-followed sub/k8s/o.yaml']]);
  });

  it('are not followed through a repository of the home directory', async () => {
    const cwd = repository({ 'k8s/a.yaml': '-> ../secret.yaml', 'secret.yaml': POD });
    vi.stubEnv('HOME', cwd);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(errorsOf(await discoverIn(cwd, 'k8s'))).toEqual(['link-not-followed k8s/a.yaml']);
    expect(namesOf(await discoverIn(cwd, '.'))).toEqual(['secret.yaml']);
  });

  it('are errors that say what to do if they lead out, nowhere or in a circle', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'k8s/app.yaml': POD,
      'k8s/Out.YAML': '-> ../outside.txt',
      'k8s/out': '-> ../elsewhere',
      'k8s/broken.json': '-> nowhere',
      'k8s/circle.yml': '-> circle.yml',
      'k8s/Kustomization': '-> app.yaml/x',
      'outside.txt': POD,
      'elsewhere/': '',
    });
    const found = await discoverIn(cwd, 'k8s');
    expect(namesOf(found)).toEqual(['k8s/app.yaml']);
    expect(found.errors.map(({ code, message, location }) => `${code} ${location?.file} ${message}`)).toEqual([
      'link-not-followed k8s/Kustomization The target of this link does not exist. Correct the target, or remove the link.',
      'link-not-followed k8s/Out.YAML This link points to a file outside the evaluated folder and its Git repository, so it was not followed. To evaluate its target, pass the link itself on the command line.',
      'link-not-followed k8s/broken.json The target of this link does not exist. Correct the target, or remove the link.',
      'link-not-followed k8s/circle.yml This link points back to itself. Correct its target, or remove the link.',
      expect.stringMatching(/^link-not-followed k8s\/out This link points to a folder outside/),
    ]);
    expect(namesOf(await discoverIn(cwd, 'k8s/Out.YAML', 'k8s/out/..'))).toContain('k8s/Out.YAML');
  });

  it('into a .git folder are errors, and so are those to other files of the user', async () => {
    const cwd = repository({ '.git/x.yaml': POD, 'k8s/x.yaml': '-> ../.git/x.yaml', 'k8s/passwd.yaml': '-> /etc/passwd' });
    expect(errorsOf(await discoverIn(cwd, '.'))).toEqual(['link-not-followed k8s/passwd.yaml', 'link-not-followed k8s/x.yaml']);
  });

  it('are counted in the notes where no manifest can be behind them', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'k8s/app.yaml': POD,
      'k8s/README.md': '-> ../README.md',
      'k8s/LICENSE': '-> ../README.md',
      'k8s/latest': '-> gone',
      'README.md': 'x',
    });
    const found = await discoverIn(cwd, 'k8s');
    expect(found.errors).toEqual([]);
    expect(reasonsOf(found)).toEqual([
      {
        code: 'entry-not-read',
        message:
          '2 entries were not read, because they are links to targets outside the evaluated folder and its Git repository (k8s/LICENSE, k8s/README.md).',
        count: 2,
        first: ['k8s/LICENSE', 'k8s/README.md'],
      },
      {
        code: 'entry-not-read',
        message: '1 entry was not read, because it is a link whose target does not exist (k8s/latest).',
        count: 1,
        first: ['k8s/latest'],
      },
    ]);
  });

  it('are followed to what Git ignores, but not when Git ignores the link, and never to node_modules', async () => {
    const cwd = repository({
      '.gitignore': 'out/\nlocal*\n',
      'out/made.yaml': POD,
      'out/sub/s.yaml': POD,
      'k8s/made.yaml': '-> ../out/made.yaml',
      'k8s/sub': '-> ../out/sub',
      'k8s/local.yaml': '-> /nowhere',
      'k8s/local': '-> /',
      'k8s/modules': '-> ../node_modules',
      'k8s/node_modules': '-> /',
      'node_modules/p/m.yaml': POD,
      'k8s/package': '-> ../node_modules/p',
    });
    const found = await discoverIn(cwd, 'k8s');
    expect([namesOf(found), errorsOf(found)]).toEqual([['k8s/made.yaml', 'k8s/package/m.yaml', 'k8s/sub/s.yaml'], []]);
  });

  it('to a chart, or into one, count as the chart', async () => {
    const cwd = repository({
      'charts-of-ours/web/Chart.yaml': 'name: web\n',
      'charts-of-ours/web/templates/a.yaml': '{{ x }}',
      'k8s/a.yaml': '-> ../charts-of-ours/web/templates/a.yaml',
    });
    expect(errorsOf(await discoverIn(cwd, 'k8s'))).toEqual(['template-not-rendered charts-of-ours/web/Chart.yaml']);
  });

  it('are followed wherever they lead when they are named', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'repo/.git/': '',
      'repo/app.yaml': '-> ../shared/app.yaml',
      'repo/all': '-> ../shared',
      'shared/app.yaml': POD,
      'shared/b.yaml': POD,
    });
    const found = await discoverIn(join(cwd, 'repo'), 'app.yaml', 'all');
    expect([namesOf(found), errorsOf(found)]).toEqual([['app.yaml', 'all/b.yaml'], []]);
  });

  it('to patches of a kustomization are patches', async () => {
    const cwd = repository({
      'prod/kustomization.yaml': 'patches: [{path: patch.yaml}]\n',
      'prod/patch.yaml': '-> ../shared/patch.yaml',
      'shared/patch.yaml': POD,
      'prod/app.yaml': POD,
    });
    const { inputs } = await discoverIn(cwd, '.');
    expect(inputs.map(({ file, use }) => [file, use])).toEqual([
      ['prod/app.yaml', undefined],
      ['prod/kustomization.yaml', undefined],
      ['shared/patch.yaml', 'patch'],
    ]);
  });
});

describe('an entry that is not a file', () => {
  it('is an error below a folder if it has the name of a manifest, else a note; nothing waits for it', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'k8s/app.yaml': POD,
      'k8s/pipe.yaml': '|',
      'k8s/events': '|',
      'k8s/link.yaml': '-> events',
      'k8s/.gitignore': '|',
      'k8s/Chart.yaml': '|',
      'k8s/kustomization.yaml': '|',
    });
    const server = createServer().listen(join(cwd, 'k8s/socket.json'));
    onTestFinished(() => void server.close());
    const found = await discoverIn(cwd, 'k8s', 'k8s/**/*.yaml');
    expect(namesOf(found)).toEqual(['k8s/app.yaml']);
    expect(errorsOf(found)).toEqual([
      'not-a-file k8s/Chart.yaml',
      'not-a-file k8s/kustomization.yaml',
      'not-a-file k8s/link.yaml',
      'not-a-file k8s/pipe.yaml',
      'not-a-file k8s/socket.json',
    ]);
    expect(found.errors[0]?.message).toBe(
      'This is a named pipe, not a file, so it was not read. If it provides manifests, pass it on the command line; otherwise, remove or rename it.',
    );
    expect(reasonsOf(found)).toMatchObject([{ code: 'entry-not-read', count: 2, first: ['k8s/.gitignore', 'k8s/events'] }]);
  });

  it('is counted for a folder of devices', async () => {
    const [note] = (await discoverIn('/', '/dev')).notes.filter(({ message }) => message.includes('device'));
    expect(note).toMatchObject({ code: 'entry-not-read', first: expect.arrayContaining([expect.stringMatching(/^\/dev\//)]) });
    expect(note?.count).toBeGreaterThanOrEqual(note?.first.length ?? 0);
    expect(note?.first.length).toBeLessThanOrEqual(20);
  });

  it('is an error if it cannot be read: a folder, and a link through one', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'k8s/app.yaml': POD,
      'k8s/closed/secret/a.yaml': POD,
      'k8s/link': '-> closed/secret',
      'k8s/app.txt': '-> closed/secret/a.yaml',
    });
    chmodSync(cwd, 0o755);
    chmodSync(join(cwd, 'k8s/closed'), 0);
    const found = await asNobody(() => discoverIn(cwd, 'k8s', 'k8s/**/*.yaml'));
    expect(namesOf(found)).toEqual(['k8s/app.yaml']);
    expect(errorsOf(found)).toEqual(['path-unreadable k8s/app.txt', 'path-unreadable k8s/closed', 'path-unreadable k8s/link']);
    expect(found.errors[0]?.message).toBe('You do not have permission to read it. Change its mode, or run the command as its owner.');
  });

  it('is an error with its name if it is gone when it is to be read', async () => {
    const cwd = newFolder();
    plant(cwd, { 'k8s/app.yaml': POD });
    const { inputs } = await discoverIn(cwd, 'k8s');
    rmSync(join(cwd, 'k8s/app.yaml'));
    const [input] = inputs;
    if (!input) throw new Error('nothing was found');
    const parts = [];
    for await (const part of splitDocuments(input)) parts.push(part);
    expect(parts).toEqual([
      {
        code: 'path-unreadable',
        message:
          'The file or folder disappeared after its parent folder was listed. Run the command again when nothing changes the folder.',
        location: { file: 'k8s/app.yaml', line: 1, column: 1 },
      },
    ]);
  });
});

describe('links that a pattern meets', () => {
  it('are followed as in a folder, and what they lead to is read once', async () => {
    const cwd = repository({
      'base/app.yaml': POD,
      'base/more/b.yaml': POD,
      'prod/app.yaml': '-> ../base/app.yaml',
      'prod/more': '-> ../base/more',
      'prod/self': '-> .',
      'prod/out': '-> /etc',
      'prod/broken.yaml': '-> nowhere',
      'prod/notes.txt': '-> nowhere',
    });
    const found = await discoverIn(cwd, 'prod/**/*.yaml');
    expect(namesOf(found)).toEqual(['prod/app.yaml', 'prod/more/b.yaml']);
    expect(errorsOf(found)).toEqual(['link-not-followed prod/broken.yaml', 'link-not-followed prod/out']);
    expect(namesOf(await discoverIn(cwd, 'prod/*/*.yaml'))).toEqual(['prod/more/b.yaml', 'prod/self/app.yaml']);
    expect(namesOf(await discoverIn(cwd, 'prod/m*/*.yaml', 'prod'))).toEqual(['prod/more/b.yaml', 'prod/app.yaml']);
    expect(errorsOf(await discoverIn(cwd, 'prod/m*/*.yaml'))).toEqual([]);
  });

  it('are followed as often as the pattern is long, so that it finds what a shell would', async () => {
    const cwd = repository({ 'k8s/x/f.yaml': POD, 'k8s/a': '-> .' });
    expect(namesOf(await discoverIn(cwd, 'k8s/*/x/*.yaml'))).toEqual(['k8s/x/f.yaml']);
  });

  it('end in an error if there are too many of them', async () => {
    const names = [...'abcdefgh'];
    const cwd = repository(
      Object.fromEntries(
        names.flatMap((name) => names.map((other) => [`k8s/${name}/${other}`, `-> ../${other}`]).concat([[`k8s/${name}/f.yaml`, POD]])),
      ),
    );
    const found = await discoverIn(cwd, 'k8s/**/*.yaml');
    expect(namesOf(found)).toEqual([]);
    expect(found.errors).toMatchObject([
      { code: 'link-not-followed', message: expect.stringContaining('more than 5,000 folders behind links'), location: { file: 'k8s' } },
    ]);
    expect(namesOf(await discoverIn(cwd, 'k8s'))).toEqual(names.map((name) => `k8s/${name}/f.yaml`));
  });
});
