import { describe, expect, it } from 'vitest';
import { bylaw, folderOf, toolAnswer } from './run-cli.js';

const RELEASE = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: app, namespace: shop }
spec: { chart: { spec: { chart: app, sourceRef: { kind: HelmRepository, name: charts, namespace: flux-system } } } }
`;
const REPOSITORY = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: charts, namespace: flux-system }
spec: { type: oci, url: "oci://ghcr.io/acme" }
`;
const WHY = 'HelmRepository flux-system/charts is not in the input.';
const FLAGS = ['--rule', 'SC-035', '--no-render'];

describe('a reference to an object that is not in the input', () => {
  const cwd = () => folderOf({ 'release.yaml': RELEASE });

  it('is reported with its reason, and does not change the exit code', async () => {
    const { code, stdout } = await bylaw(['evaluate', 'release.yaml', ...FLAGS], { cwd: cwd() });
    expect(stdout).toContain(`Undecided (1)\n\n       1  ${WHY}\n`);
    expect(stdout).toMatch(/PASS {2}.*no findings; 1 check undecided\n$/);
    expect(code).toBe(0);
  });

  it('is decided by --complete, which the report proposes, and by the same member of a request', async () => {
    const open = await bylaw(['evaluate', 'release.yaml', ...FLAGS], { cwd: cwd() });
    expect(open.stdout.replace(/\s+/g, ' ')).toContain('If the input contains everything that is in the cluster, pass --complete:');
    const { code, stdout } = await bylaw(['evaluate', 'release.yaml', ...FLAGS, '--complete', '--undecided', 'fail', '--json'], {
      cwd: cwd(),
    });
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], errors: [] });
    expect(code).toBe(0);
    const files = [{ path: 'release.yaml', content: RELEASE }];
    const answer = await toolAnswer('evaluate', { files, rules: ['SC-035'], undecided: 'fail', complete: true }, { cwd: cwd() });
    expect(answer).toEqual(JSON.parse(stdout));
  });

  it('stays undecided with --complete if a part of the input was not read: the object may be there', async () => {
    const twice = REPOSITORY.replace('type: oci', 'type: oci, type: oci');
    const read = async (files: Record<string, string>, ...flags: string[]) => {
      const { stdout } = await bylaw(['evaluate', '.', ...FLAGS, '--complete', ...flags], { cwd: folderOf(files) });
      return stdout;
    };
    const answer = JSON.parse(await read({ 'a.yaml': RELEASE, 'b.yaml': twice }, '--json'));
    expect(answer).toMatchObject({
      errors: [{ code: 'duplicate-key' }],
      undecided: [{ message: WHY }],
      notes: [{ code: 'input-not-complete', count: 1, first: ['b.yaml'] }],
    });
    const text = await read({ 'a.yaml': RELEASE, 'b.yaml': twice });
    expect(text).toContain('does not count as complete');
    expect(text).not.toContain('pass --complete');
    // A name that is not read may be that of a manifest.
    const hidden = JSON.parse(await read({ 'a.yaml': RELEASE, 'b.yaml.bak': REPOSITORY }, '--json'));
    expect(hidden.undecided).toMatchObject([{ message: WHY }]);
    expect(hidden.notes.map(({ code }: { code: string }) => code)).toContain('input-not-complete');
  });

  it('exits with 2 under --undecided fail, or the same setting', async () => {
    const [byFlag, byFile] = await Promise.all([
      bylaw(['evaluate', 'release.yaml', ...FLAGS, '--undecided', 'fail', '--json'], { cwd: cwd() }),
      bylaw(['evaluate', 'release.yaml', ...FLAGS, '--json'], {
        cwd: folderOf({ 'release.yaml': RELEASE, 'bylaw.yaml': 'evaluate: { undecided: fail }\n' }),
      }),
    ]);
    expect([byFlag.code, byFile.code]).toEqual([2, 2]);
    expect(JSON.parse(byFlag.stdout).errors).toMatchObject([{ code: 'checks-undecided', location: null }]);
    expect(byFile.stdout).toBe(byFlag.stdout);
  });

  it('is left out under --undecided ignore', async () => {
    const { code, stdout } = await bylaw(['evaluate', 'release.yaml', ...FLAGS, '--undecided', 'ignore'], { cwd: cwd() });
    expect(stdout).not.toMatch(/undecided/i);
    expect(code).toBe(0);
  });

  it('is decided by an object in another file', async () => {
    const both = folderOf({ 'a.yaml': RELEASE, 'b.yaml': REPOSITORY });
    const { stdout } = await bylaw(['evaluate', '.', ...FLAGS, '--json'], { cwd: both });
    const report = JSON.parse(stdout);
    expect(report.findings).toMatchObject([{ rule_id: 'SC-035', status: 'fail' }]);
    expect(report).not.toHaveProperty('undecided');
  });

  it('says the same to an agent', async () => {
    const { stdout } = await bylaw(['evaluate', 'release.yaml', ...FLAGS, '--undecided', 'fail', '--json'], { cwd: cwd() });
    const files = [{ path: 'release.yaml', content: RELEASE }];
    const answer = await toolAnswer('evaluate', { files, rules: ['SC-035'], undecided: 'fail' }, { cwd: cwd() });
    expect(answer).toEqual(JSON.parse(stdout));
  });

  it('is no reason to call a failure resolved', async () => {
    const sides = folderOf({ 'old/a.yaml': `${RELEASE}---\n${REPOSITORY}`, 'new/a.yaml': RELEASE });
    const { code, stdout } = await bylaw(['validate', 'old', 'new', ...FLAGS], { cwd: sides });
    expect(stdout).toContain('0 introduced, 0 resolved, 1 unchanged.');
    expect(stdout).toContain(`Undecided\n  proposed: 1 check\n    1: ${WHY}\n`);
    expect(stdout).toContain('Verdict: unchanged, with 1 check of the proposed side undecided');
    expect(code).toBe(0);
    expect((await bylaw(['validate', 'old', 'new', ...FLAGS, '--undecided', 'fail'], { cwd: sides })).code).toBe(2);
  });
});
