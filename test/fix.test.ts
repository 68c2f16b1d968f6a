import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onPath } from './on-path.js';
import { bylaw, bylawAlone, folderOf } from './run-cli.js';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      hostPID: true   # for the profiler
      enableServiceLinks: false
      containers:
      - name: app
        image: registry.example.com/app@sha256:${'a'.repeat(64)}
        resources: {limits: {memory: 128Mi}}
        securityContext:
          privileged: true
          # nothing else yet
`;

const MENDED = WEB.replace('hostPID: true', 'hostPID: false').replace(
  'privileged: true\n',
  `privileged: false
          allowPrivilegeEscalation: false
          capabilities:
            drop:
            - ALL
          runAsNonRoot: true
          seccompProfile:
            type: RuntimeDefault
      automountServiceAccountToken: false
`,
);

const AGENT = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec: {template: {spec: {hostPID: true, containers: [{name: a, image: "a@sha256:${'b'.repeat(64)}"}]}}}
`;

describe('bylaw evaluate --fix', () => {
  it('makes only what cannot stop a workload, and says what --fix-unsafe would make besides', async () => {
    const cwd = folderOf({ 'web.yaml': WEB });
    const { stdout } = await bylawAlone(['evaluate', '.', '--fix'], { cwd });
    const fixed = WEB.replace('privileged: true\n', 'privileged: true\n          seccompProfile:\n            type: RuntimeDefault\n');
    expect(readFileSync(join(cwd, 'web.yaml'), 'utf8')).toBe(fixed);
    expect(stdout).toContain('--fix-unsafe applies it');
    expect(stdout).not.toContain('Test before rollout');
  });

  it('with --fix-unsafe fixes the files, reports what remains, and finds nothing to fix the second time', async () => {
    const cwd = folderOf({ 'web.yaml': WEB, 'agent.yaml': AGENT });
    const first = await bylaw(['evaluate', '.', '--fix-unsafe'], { cwd });
    expect(readFileSync(join(cwd, 'web.yaml'), 'utf8')).toBe(MENDED);
    expect(first.stdout).toMatch(/Fixed: \d+ findings in 2 files\n/);
    expect(first.stdout).toContain('CS-003 (1)');
    expect(first.stdout).toMatch(/\nHIGH {2}.*\n {4}CS-003 /s);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/Test before rollout\n\n {2}CS-001 {2}Test that the container still works/);
    const second = await bylaw(['evaluate', 'web.yaml', '--fix-unsafe'], { cwd });
    expect({ code: second.code, fixed: second.stdout.includes('Fixed') }).toEqual({ code: 0, fixed: false });
    expect(readFileSync(join(cwd, 'web.yaml'), 'utf8')).toBe(MENDED);
  });

  it('follows a link to the file that it names, and keeps link and permissions', async () => {
    const cwd = folderOf({ 'real/web.yaml': WEB });
    symlinkSync(join(cwd, 'real/web.yaml'), join(cwd, 'link.yaml'));
    const mode = statSync(join(cwd, 'real/web.yaml')).mode;
    await bylaw(['evaluate', 'link.yaml', '--fix-unsafe'], { cwd });
    expect(readFileSync(join(cwd, 'link.yaml'), 'utf8')).toBe(MENDED);
    expect(readFileSync(join(cwd, 'real/web.yaml'), 'utf8')).toBe(MENDED);
    expect(statSync(join(cwd, 'real/web.yaml')).mode).toBe(mode);
  });

  it('with --json lists what is fixed and what is not', async () => {
    const cwd = folderOf({ 'web.yaml': WEB, 'agent.yaml': AGENT });
    const { stdout } = await bylaw(['evaluate', '.', '--fix-unsafe', '--json', '--rule', 'CS-003'], { cwd });
    const { findings, fixed, unfixed, tests } = JSON.parse(stdout);
    expect(tests).toEqual([{ rule_id: 'CS-003', test: expect.stringContaining('processes on the node') }]);
    expect(findings.length).toBe(1);
    const pid = {
      rule_id: 'CS-003',
      severity: 'HIGH',
      title: expect.any(String),
      path: '/spec/template/spec/hostPID',
      message: expect.any(String),
    };
    const of = (kind: string, name: string) => ({ api_version: 'apps/v1', kind, namespace: null, name });
    expect(fixed).toEqual([{ ...pid, file: 'web.yaml', resource: of('Deployment', 'web') }]);
    expect(unfixed).toEqual([
      { ...pid, file: 'agent.yaml', resource: of('DaemonSet', 'agent'), reason: expect.stringContaining('not be safe') },
    ]);
  });

  it.each([
    ['standard input', ['-', '--fix'], 'no file to change'],
    ['a remote server', ['.', '--fix', '--remote', 'http://127.0.0.1:1'], 'remote server'],
    ['a report where a diff is printed', ['.', '--fix', '--dry-run', '--format', 'sarif'], 'prints a diff'],
    ['a dry run of nothing', ['.', '--dry-run'], '--fix'],
  ])('is refused together with %s', async (_what, args, why) => {
    const { code, stderr } = await bylaw(['evaluate', ...args], { cwd: folderOf({ 'web.yaml': WEB }) });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });
});

describe('bylaw evaluate --fix --dry-run', () => {
  it.skipIf(!onPath('git'))('writes nothing, and prints a diff that git applies to the same result', async () => {
    const cwd = folderOf({ 'deploy/web.yaml': WEB, 'deploy/windows.yaml': WEB.replaceAll('\n', '\r\n').trimEnd() });
    const { code, stdout, stderr } = await bylaw(['evaluate', './deploy', '--fix-unsafe', '--dry-run'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('Would be fixed');
    expect(stderr).toContain('would remain');
    expect(readFileSync(join(cwd, 'deploy/web.yaml'), 'utf8')).toBe(WEB);
    expect(spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd, input: stdout, encoding: 'utf8' }).stderr).toBe('');
    expect(readFileSync(join(cwd, 'deploy/web.yaml'), 'utf8')).toBe(MENDED);
    expect(readFileSync(join(cwd, 'deploy/windows.yaml'), 'utf8')).toBe(MENDED.replaceAll('\n', '\r\n').trimEnd());
  });

  it('shows no value of a Secret, in the diff as in its JSON', async () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a-2456789bcd}\nstringData:\n  a: hunter2-plain\n';
    const cwd = folderOf({ 'secret.yaml': secret });
    const text = await bylaw(['evaluate', '.', '--fix', '--dry-run'], { cwd });
    expect(text.stdout).toContain('+immutable: true');
    expect(text.stdout).toContain('  a: ***');
    expect(text.stderr).toContain('omits values of Secrets');
    const json = await bylaw(['evaluate', '.', '--fix', '--dry-run', '--json'], { cwd });
    expect(JSON.parse(json.stdout).diff).toBe(text.stdout);
    expect(text.stdout + text.stderr + json.stdout).not.toContain('hunter2');
    expect(readFileSync(join(cwd, 'secret.yaml'), 'utf8')).toBe(secret);
  });
});
