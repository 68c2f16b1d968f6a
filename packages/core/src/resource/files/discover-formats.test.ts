import { describe, expect, it } from 'vitest';
import { discoverIn, namesOf, newFolder, plant, reasonsOf } from './testing/tree.test-support.js';

const POD = 'apiVersion: v1\nkind: Pod\n';

describe('files of formats that no plugin reads', () => {
  it('are named in one note for each format, with what to evaluate instead', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'app/pod.yaml': POD,
      'app/main.tf': '',
      'app/modules/x/main.tofu': '',
      'app/prod.tfvars.json': '{}',
      'app/terraform.tfstate': '{}',
      'app/Dockerfile': '',
      'app/web.Dockerfile': '',
      'app/Dockerfile.dev': '',
      'app/Dockerfile.dockerignore': '',
      'app/deployment.yaml.j2': '',
      'app/notes.md': '',
    });
    const found = await discoverIn(cwd, 'app');
    expect([namesOf(found), found.errors]).toEqual([['app/pod.yaml'], []]);
    expect(reasonsOf(found)).toEqual([
      {
        code: 'format-not-read',
        message:
          'No installed plugin reads Terraform files, so 3 files were not evaluated (app/main.tf, app/modules/x/main.tofu, app/prod.tfvars.json). Evaluate a plan instead: terraform show -json plan.out > plan.json.',
        count: 3,
        first: ['app/main.tf', 'app/modules/x/main.tofu', 'app/prod.tfvars.json'],
      },
      {
        code: 'format-not-read',
        message:
          'No installed plugin reads Terraform state files, so 1 file was not evaluated (app/terraform.tfstate). Evaluate its JSON form instead: terraform show -json > state.json.',
        count: 1,
        first: ['app/terraform.tfstate'],
      },
      {
        code: 'format-not-read',
        message:
          'No installed plugin reads Dockerfiles, so 3 files were not evaluated (app/Dockerfile, app/Dockerfile.dev, app/web.Dockerfile).',
        count: 3,
        first: ['app/Dockerfile', 'app/Dockerfile.dev', 'app/web.Dockerfile'],
      },
      {
        code: 'format-not-read',
        message:
          'No installed plugin reads manifest templates, so 1 file was not evaluated (app/deployment.yaml.j2). Render it first, and evaluate the result.',
        count: 1,
        first: ['app/deployment.yaml.j2'],
      },
    ]);
  });

  it('are named once, at most 20 of them, and not if they are also named on the command line', async () => {
    const cwd = newFolder();
    plant(cwd, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`app/m${index}.tf`, ''])));
    plant(cwd, { 'app/pod.yaml': POD });
    const found = await discoverIn(cwd, 'app', 'app/m3.tf', './app', 'app/*.tf', 'app/**/*');
    expect(namesOf(found)).toEqual(['app/pod.yaml', 'app/m3.tf']);
    expect(reasonsOf(found)).toMatchObject([{ code: 'format-not-read', count: 29 }]);
    expect(found.notes[0]?.first).toHaveLength(20);
    expect(found.notes[0]?.message).toContain('(app/m0.tf, app/m1.tf, app/m10.tf, …)');
  });
});

describe('a folder or pattern under which there is nothing to read', () => {
  const messageOf = async (tree: { readonly [path: string]: string }, path = 'app') => {
    const cwd = newFolder();
    plant(cwd, { 'app/': '', ...tree });
    const { errors } = await discoverIn(cwd, path);
    expect(errors).toMatchObject([{ code: 'no-manifests', location: { file: path } }]);
    return errors[0]?.message;
  };

  it('is reported as empty only if it is', async () => {
    expect(await messageOf({ 'app/README.md': 'x' })).toBe('The directory contains no .yaml, .yml or .json file.');
    expect(await messageOf({}, 'app/*.yaml')).toBe(
      'The pattern "app/*.yaml" matches no .yaml, .yml or .json file. Quote the pattern, so that the shell does not expand it.',
    );
  });

  it('is described by the formats that it holds', async () => {
    const tree = { 'app/main.tf': '', 'app/x.tf': '', 'app/Dockerfile': '', 'app/README.md': '' };
    expect(await messageOf(tree)).toBe('The directory contains 3 files that no installed plugin reads: 2 Terraform files, 1 Dockerfile.');
    expect(await messageOf(tree, 'app/*.tf')).toBe(
      'The pattern "app/*.tf" matches 2 files that no installed plugin reads: 2 Terraform files. Quote the pattern, so that the shell does not expand it.',
    );
  });

  it('is described by what Git ignores in it', async () => {
    const tree = { '.git/': '', '.gitignore': '*.yaml\nout/\n', 'app/a.yaml': POD, 'app/b.yaml': POD, 'app/out/c.json': '{}' };
    expect(await messageOf(tree)).toBe(
      'The directory contains no .yaml, .yml or .json file that can be evaluated. Git ignores 2 .yaml, .yml or .json files and 1 folder there. To evaluate an ignored file or folder, pass it on the command line.',
    );
  });

  it('is described by links and folders that are not looked into', async () => {
    expect(await messageOf({ 'app/README': '-> /etc/passwd', 'app/node_modules/x.yaml': POD })).toBe(
      'The directory contains no .yaml, .yml or .json file that can be evaluated. 1 entry was not read, because it is a link to a target outside the evaluated folder and its Git repository. Folders named .git and node_modules are not searched.',
    );
  });

  it('is not a second error if something below it is already one', async () => {
    const cwd = newFolder();
    plant(cwd, { 'app/a.yaml': '-> /etc/passwd' });
    expect((await discoverIn(cwd, 'app')).errors).toMatchObject([{ code: 'link-not-followed' }]);
  });
});
