import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  hostPID: true
  containers: [{ name: app, image: example.com/app:1.2.3 }]
`;

describe('bylaw compliance PATH', () => {
  it('exits with 1 when a control fails, with 0 when none does, and with 2 when something could not be read', async () => {
    const cwd = folderOf({ 'pod.yaml': POD, 'broken.yaml': 'a: [\n' });
    const failing = await bylaw(['compliance', 'pod.yaml', '--framework', 'CIS-K8S:5.2.3'], { cwd });
    expect(failing.stdout).toContain('Fail (1)\n  5.2.3  No host process namespace\n      1 finding of CS-003\n');
    expect(failing.code).toBe(1);
    const passing = await bylaw(['compliance', 'pod.yaml', '--framework', 'CIS-K8S:5.2.4'], { cwd });
    expect(passing.stdout).toContain('Pass (1)\n  5.2.4  No host IPC namespace\n      rules that applied: CS-004\n');
    expect(passing.code).toBe(0);
    const broken = await bylaw(['compliance', '.', '--framework', 'CIS-K8S:5.2.4'], { cwd });
    expect(broken.stdout.replaceAll('\n', ' ')).toContain('A pass covers only the rest');
    expect(broken.stderr).toContain('error: broken.yaml:');
    expect(broken.code).toBe(2);
  });

  it('honours exceptions and baselines, and tells which rules the filter leaves out', async () => {
    const cwd = folderOf({ 'pod.yaml': POD, 'bylaw.yaml': 'exceptions: [{ rule: CS-003, reason: it reads the processes of the node }]\n' });
    const { stdout, code } = await bylaw(['compliance', 'pod.yaml', '--framework', 'CIS-K8S:5.2.3', '--json'], { cwd });
    expect(JSON.parse(stdout).frameworks[0].controls).toMatchObject([{ id: '5.2.3', status: 'pass', waived: 1 }]);
    expect(code).toBe(0);
    const filtered = await bylaw(['compliance', 'pod.yaml', '--framework', 'CIS-K8S:5.2', '--severity', 'low', '--json'], { cwd });
    expect(JSON.parse(filtered.stdout).frameworks[0].counts).toMatchObject({ pass: 0, fail: 0 });
    expect(JSON.parse(filtered.stdout).frameworks[0].controls[2]).toMatchObject({
      id: '5.2.3',
      status: 'not-checked',
      reason: 'rule-left-out',
    });
  });

  it('gives each control of the CIS benchmark its status for the configurations of clusters', async () => {
    const { stdout, code } = await bylaw(['compliance', 'examples/cluster', '--framework', 'CIS-K8S-1.10', '--json'], { cwd: ROOT });
    const { complete, unchecked, frameworks } = JSON.parse(stdout);
    expect([complete, unchecked, code]).toEqual([true, 0, 1]);
    const { controls } = frameworks[0];
    expect(controls).toHaveLength(130);
    expect(controls.filter(({ title }: { title?: string }) => !title)).toEqual([]);
    const statusOf = (id: string) => controls.find((control: { id: string }) => control.id === id)?.status;
    expect(['1.2.1', '1.2.2', '1.2.27', '1.3.3', '2.2', '4.2.4', '4.2.10', '4.2.7', '1.1.1'].map(statusOf)).toEqual([
      ...['fail', 'pass', 'fail', 'pass', 'pass', 'fail', 'pass', 'not-checked', 'not-covered'],
    ]);
  });

  it('does not pass a control about flags that are in a variable', async () => {
    const pod = '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: etcd, command: [sh, -c, "etcd $FLAGS"]}]}}';
    const args = ['compliance', 'etcd.yaml', '--framework', 'CIS-K8S-1.10:2.2', '--json'];
    const { stdout } = await bylaw(args, { cwd: folderOf({ 'etcd.yaml': pod }) });
    expect(JSON.parse(stdout).frameworks[0].controls).toMatchObject([{ id: '2.2', status: 'not-checked', reason: 'rule-undecided' }]);
  });

  it('tells what was left out, such as every rule', async () => {
    const args = ['compliance', 'pod.yaml', '--framework', 'CIS-K8S:5.2', '--category', 'SP'];
    const { stdout, stderr } = await bylaw(args, { cwd: folderOf({ 'pod.yaml': POD }) });
    expect(stderr).toContain('note: The filter selects none of the installed rules');
    expect(stdout).toContain('Not checked (13)');
    expect(stdout).not.toContain('Pass');
  });

  it('writes the file that it is told to, and no other', async () => {
    const cwd = folderOf({ 'pod.yaml': POD });
    const written = await bylaw(['compliance', 'pod.yaml', '--framework', 'SOC2', '--format', 'csv', '--output', 'soc2.csv'], { cwd });
    expect(written.stdout).toBe('');
    expect(written.stderr).toContain('That is not the same as meeting the control');
    const rows = readFileSync(join(cwd, 'soc2.csv'), 'utf8').split('\r\n');
    expect(rows[0]).toBe('framework,version,control,title,status,rules,applied_rules,failing_rules,findings,waived,reason');
    expect(rows).toHaveLength(1 + 61 + 1);
    const refused = await bylaw(['compliance', 'pod.yaml', '--output', 'pod.yaml'], { cwd });
    expect(refused.code).toBe(2);
    expect(readFileSync(join(cwd, 'pod.yaml'), 'utf8')).toBe(POD);
  });

  it('says nothing to the terminal but what can be printed, whatever the files are called', async () => {
    const name = '=cmd|\u001b[31m<script>.yaml';
    const cwd = folderOf({ [name]: 'a: [\n' });
    for (const format of ['text', 'json', 'csv', 'html']) {
      const { stdout, stderr, code } = await bylaw(['compliance', '.', '--framework', 'SLSA', '--format', format], { cwd });
      expect(stderr).toContain('error: =cmd|<script>.yaml:');
      for (const text of [stdout, stderr]) expect(text).not.toContain('\u001b');
      expect(stdout).not.toContain('<script');
      expect(code).toBe(2);
    }
  });

  it('needs a path for what only an evaluation can use', async () => {
    for (const args of [['--baseline', 'known.json'], ['--no-render'], ['--severity', 'high']]) {
      const { stderr, code } = await bylaw(['compliance', ...args]);
      expect(stderr).toContain(`${args[0]} requires a path to evaluate`);
      expect(code).toBe(2);
    }
  });
});

describe('the compliance of an evaluation', () => {
  let url: string;
  beforeAll(async () => {
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  it('is the same, byte by byte, from the command, the server and the tool', async () => {
    const content = readFileSync(join(ROOT, 'examples/manifests/guestbook/frontend-deployment.yaml'), 'utf8');
    const cwd = folderOf({ 'a.yaml': content });
    const { stdout } = await bylaw(['compliance', 'a.yaml', '--framework', 'CIS-K8S-1.10,NIST-800-190', '--json'], { cwd });
    const body = { files: [{ path: 'a.yaml', content }], frameworks: ['CIS-K8S-1.10', 'NIST-800-190'], include_compliance: true };
    const response = await fetch(`${url}/api/v1/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await response.text()).toContain(`,\n"compliance": ${stdout.trimEnd()}\n}\n`);
    expect(await toolAnswer('evaluate', body)).toMatchObject({ compliance: JSON.parse(stdout) });
    expect(JSON.parse(stdout).frameworks).toMatchObject([
      { id: 'CIS-K8S-1.10', coverage: { controls_total: 130 } },
      { id: 'NIST-800-190', coverage: { controls_total: 24 } },
    ]);
  });
});
