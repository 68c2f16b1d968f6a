import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runningServer } from '../cluster/testing/connected.test-support.js';
import { runningDeployment } from '../cluster/testing/objects.test-support.js';

const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

const POD = (namespace: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace },
    spec: { hostPID: true, containers: [{ name: 'app', image: 'nginx:1' }] },
  });

function folder(files: { readonly [name: string]: string } = {}): string {
  const made = mkdtempSync(join(tmpdir(), 'bylaw-reports-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(made, name), content);
  return made;
}

const runShared = sharedProcess(new URL('../../../cli/lib/main.js', import.meta.url));

const exportReports = (cwd: string, ...args: string[]) =>
  runShared(['export', 'policyreport', ...args], { cwd, env: { ...process.env, SVC_API_URL: '' } });

describe('bylaw export policyreport', () => {
  it('prints reports as kubectl takes them, and does not fail for what was found', async () => {
    const cwd = folder({ 'a.json': POD('shop'), 'b.json': POD('pay') });
    const args = [RUN, 'export', 'policyreport', '--rule', 'CS-003'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd });
    expect(parseAllDocuments(stdout).map((document) => document.toJS())).toMatchObject([
      { kind: 'PolicyReport', metadata: { name: 'bylaw', namespace: 'pay' }, summary: { fail: 1 } },
      { kind: 'PolicyReport', metadata: { name: 'bylaw', namespace: 'shop' }, summary: { fail: 1 } },
    ]);
    expect(stderr).toBe('');
  });

  it('prints one List in JSON, for OpenReports and under another name if asked', async () => {
    const { stdout } = await exportReports(
      folder({ 'a.json': POD('shop') }),
      '--rule',
      'CS-003',
      '--json',
      '--api',
      'openreports',
      '--name',
      'ci',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'List',
      items: [{ apiVersion: 'openreports.io/v1alpha1', kind: 'Report', metadata: { name: 'ci' }, source: 'bylaw' }],
    });
  });

  it('writes a file, or a file for each report into a folder', async () => {
    const cwd = folder({ 'a.json': POD('shop'), 'b.json': POD('pay') });
    await exportReports(cwd, 'a.json', 'b.json', '--rule', 'CS-003', '--output', 'reports/');
    expect(readdirSync(join(cwd, 'reports')).sort()).toEqual(['pay-bylaw.yaml', 'shop-bylaw.yaml']);
    const { stdout } = await exportReports(cwd, 'a.json', '--rule', 'CS-003', '--output', 'one.yaml');
    expect(stdout).toBe('');
    expect(readFileSync(join(cwd, 'one.yaml'), 'utf8')).toBe(readFileSync(join(cwd, 'reports', 'shop-bylaw.yaml'), 'utf8'));
  });

  it('reports what could be read, names the rest, and exits with 2', async () => {
    const { code, stdout, stderr } = await exportReports(folder({ 'a.json': POD('shop'), 'broken.yaml': 'a: [' }), '--rule', 'CS-003');
    expect(stdout).toContain('kind: PolicyReport');
    expect(stderr).toMatch(/^error: broken\.yaml:1:\d+: .*\(yaml-syntax\)\n$/);
    expect(code).toBe(2);
  });

  it('evaluates a cluster, too', async () => {
    const server = await runningServer({ objects: runningDeployment('web', 'shop', 1) });
    const cwd = folder({ kubeconfig: server.kubeconfig() });
    const { code, stdout } = await exportReports(cwd, '--kubeconfig', 'kubeconfig', '--rule', 'CS-044', '--json', '--timestamps');
    const [report] = JSON.parse(stdout).items;
    expect(report).toMatchObject({ metadata: { namespace: 'shop' }, results: [{ resources: [{ kind: 'Deployment', name: 'web' }] }] });
    expect(report.results[0].timestamp.seconds).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it.each([
    [['--name', 'Not_a_name'], '--name must be a valid Kubernetes name.'],
    [['a.json', '--cluster'], 'Pass either paths or a cluster, not both.'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await exportReports(folder({ 'a.json': POD('shop') }), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
