import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT } from './run-cli.js';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: nginx }] }\n';
const FIXED = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: "nginx:1.29" }] }\n';

/** A repository in which `out` is a link to a file of somebody else, and `reports` a link to their folder. */
function hostileRepository(more: { [path: string]: string } = {}): { cwd: string; outside: string } {
  const outside = folderOf({ 'precious.txt': 'precious' });
  const cwd = folderOf({ '.git/HEAD': 'ref: refs/heads/main\n', 'pod.yaml': POD, 'fixed/pod.yaml': FIXED, ...more });
  symlinkSync(join(outside, 'precious.txt'), join(cwd, 'out'));
  symlinkSync(outside, join(cwd, 'reports'));
  return { cwd, outside };
}

function expectUntouched(outside: string): void {
  expect(readdirSync(outside)).toEqual(['precious.txt']);
  expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('precious');
}

describe('a file that a command writes', () => {
  it.each([
    ['a report', ['evaluate', 'pod.yaml', '--format', 'json', '--output']],
    ['a baseline', ['evaluate', 'pod.yaml', '--write-baseline']],
    ['a comparison', ['validate', 'pod.yaml', 'fixed/pod.yaml', '--html']],
    ['a compliance report', ['compliance', 'pod.yaml', '--framework', 'CIS-K8S', '--output']],
    ['a diff of fixes', ['evaluate', 'pod.yaml', '--fix', '--dry-run', '--output']],
  ])('is not written through a link that leads out of the working directory: %s', async (_what, args) => {
    const { cwd, outside } = hostileRepository();
    for (const path of ['out', 'reports/new.txt', join(cwd, 'out')]) {
      const { code, stderr } = await bylaw([...args, path], { cwd });
      expect(stderr).toContain('a symbolic link in this path leads out of the working directory');
      expect(code).toBe(2);
    }
    expectUntouched(outside);
  });

  it('is not written through a link of the same repository outside the working directory', async () => {
    const { cwd, outside } = hostileRepository({ 'app/pod.yaml': POD });
    const args = ['evaluate', 'pod.yaml', '--format', 'json', '--output'];
    const { code, stderr } = await bylaw([...args, '../out'], { cwd: join(cwd, 'app') });
    expect(stderr).toContain('leads out of the Git repository');
    expect(code).toBe(2);
    expectUntouched(outside);
  });

  it('is written where the command line names it, also through links outside the working directory', async () => {
    const { cwd, outside } = hostileRepository();
    const elsewhere = folderOf();
    symlinkSync(join(outside, 'precious.txt'), join(elsewhere, 'link.json'));
    await bylaw(['evaluate', 'pod.yaml', '--format', 'json', '--output', join(elsewhere, 'link.json')], { cwd });
    expect(JSON.parse(readFileSync(join(outside, 'precious.txt'), 'utf8'))).toHaveProperty('findings');
    expect(lstatSync(join(elsewhere, 'link.json')).isSymbolicLink()).toBe(true);
    const pipe = `"${process.execPath}" "${join(ROOT, 'bin/run.js')}" evaluate pod.yaml --format json --output /dev/stdout | cat`;
    expect(JSON.parse(execFileSync('sh', ['-c', pipe], { cwd, encoding: 'utf8' }))).toHaveProperty('findings');
  });

  it('is a fixed manifest only if it is not outside, behind a link that somebody named', async () => {
    const outside = folderOf({ 'pod.yaml': POD });
    const cwd = folderOf();
    symlinkSync(join(outside, 'pod.yaml'), join(cwd, 'link.yaml'));
    const { stdout } = await bylaw(['evaluate', 'link.yaml', '--fix'], { cwd });
    expect(stdout).toContain('a symbolic link leads to its file');
    expect(readFileSync(join(outside, 'pod.yaml'), 'utf8')).toBe(POD);
    await bylaw(['evaluate', join(outside, 'pod.yaml'), '--fix'], { cwd });
    expect(readFileSync(join(outside, 'pod.yaml'), 'utf8')).not.toBe(POD);
  });

  it('is a file of `init` only below the project', async () => {
    const outside = folderOf();
    const cwd = folderOf();
    symlinkSync(outside, join(cwd, '.github'));
    const { code, stderr } = await bylaw(['init', '--yes', '--force', '--ci', 'github'], { cwd });
    expect(stderr).toContain('leads out of the working directory');
    expect(code).toBe(2);
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(cwd, 'bylaw.yaml'))).toBe(false);
  });
});
