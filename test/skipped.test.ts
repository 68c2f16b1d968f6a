import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, bylawAlone, folderOf } from './run-cli.js';

const POD = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: i, securityContext: { privileged: true } }] }\n`;

/** A repository that hides Pods in every place that evaluation does not read. */
const HIDDEN = {
  'app.yaml': POD('plain').replace('privileged: true', 'privileged: false'),
  '.gitignore': 'forced.yaml\n',
  'forced.yaml': POD('forced'),
  'component/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ path: pod.yaml }, { path: part.yaml }]\n',
  'component/pod.yaml': POD('patch'),
  'component/part.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec: { replicas: 2, template: { spec: { containers: [{ name: a }] } } }\n',
  'node_modules/a/pod.yaml': POD('modules'),
  'pod.txt': POD('text'),
};

function repository(files: { [path: string]: string }): string {
  const cwd = folderOf(files);
  execFileSync('git', ['-C', cwd, 'init', '-q']);
  execFileSync('git', ['-C', cwd, 'add', '-f', '.']);
  return cwd;
}

describe('a patch that is only a part of an object', () => {
  it('is not fixed', async () => {
    const cwd = repository(HIDDEN);
    const { code, stdout } = await bylaw(
      ['evaluate', '.', '--json', '--no-render', '--fix-unsafe', '--fail-on', 'none', '--fail-on-skipped'],
      { cwd },
    );
    expect(readFileSync(join(cwd, 'component/part.yaml'), 'utf8')).toBe(HIDDEN['component/part.yaml']);
    expect(readFileSync(join(cwd, 'component/pod.yaml'), 'utf8')).not.toBe(HIDDEN['component/pod.yaml']);
    expect(JSON.parse(stdout).errors.map((error: { code: string }) => error.code)).toEqual([
      'input-skipped',
      'input-skipped',
      'input-skipped',
    ]);
    expect(code).toBe(2);
  });

  it('is no workload of its own in an estimate', async () => {
    const { stdout } = await bylaw(['carbon', 'estimate', '.', '--json', '--no-render', '--provider', 'aws', '--region', 'eu-west-1'], {
      cwd: repository(HIDDEN),
    });
    const named = (stdout.match(/"name":"d"|Deployment[^"]*\/d\b/g) ?? []).length;
    expect(stdout).toContain('plain');
    expect(named).toBe(0);
  });
});

describe('what a repository hides', () => {
  it('is evaluated or noted', async () => {
    const { code, stdout } = await bylawAlone(['evaluate', '.', '--json', '--no-render'], { cwd: repository(HIDDEN) });
    const { findings, notes, errors } = JSON.parse(stdout);
    const privileged = findings.filter((finding: { rule_id: string }) => finding.rule_id === 'CS-001');
    expect(privileged.map((finding: { resource: { name: string } }) => finding.resource.name).sort()).toEqual(['forced', 'patch']);
    expect(errors).toEqual([]);
    expect(notes.map((note: { code: string; first: string[] }) => [note.code, ...note.first])).toEqual([
      ['tracked-not-read', 'node_modules/a/pod.yaml'],
      ['name-not-read', 'pod.txt'],
      ['files-skipped', '.gitignore', 'node_modules', 'node_modules/a/pod.yaml', 'pod.txt'],
      ['patch-not-applied', 'component/part.yaml'],
    ]);
    expect(code).toBe(1);
  });

  it('is an error with --fail-on-skipped', async () => {
    const flags = ['--json', '--no-render', '--fail-on', 'none', '--fail-on-skipped'];
    const { code, stdout } = await bylaw(['evaluate', '.', ...flags], { cwd: repository(HIDDEN) });
    const { notes, errors } = JSON.parse(stdout);
    expect(notes.map((note: { code: string }) => note.code)).toEqual(['files-skipped']);
    expect(errors.map((error: { code: string; message: string }) => [error.code, /\(.*\)/.exec(error.message)?.[0]])).toEqual([
      ['input-skipped', '(node_modules/a/pod.yaml)'],
      ['input-skipped', '(pod.txt)'],
      ['input-skipped', '(component/part.yaml)'],
    ]);
    expect(code).toBe(2);
    expect((await bylaw(['evaluate', '.', ...flags], { cwd: repository({ 'app.yaml': HIDDEN['app.yaml'] }) })).code).toBe(0);
  });
});
