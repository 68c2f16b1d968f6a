import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bylaw, bylawAlone, folderOf, ROOT, startBylaw } from './run-cli.js';

const ESCAPE = '\u001b[';
const POD = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n  containers: [{ name: app, image: "nginx:1", securityContext: { privileged: true } }]\n`;

describe('standard output', () => {
  it('may be closed early: the run ends in silence, with the exit code of its findings', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => POD(`p${i}`)).join('---\n');
    const child = startBylaw(['evaluate', 'pods.yaml', '--json'], { cwd: folderOf({ 'pods.yaml': many }) });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'exit');
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  it.skipIf(!existsSync('/dev/full')).each([
    ['as text', []],
    ['as JSON', ['--json']],
  ])('on a full disk is an error %s, and none that looks like a result', async (_form, flags) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const args = [join(ROOT, 'bin', 'run.js'), 'evaluate', 'examples/manifests/guestbook', ...flags];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', full, 'pipe'] });
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    const [code] = await once(child, 'close');
    expect(stderr).toContain('Cannot write to standard output: there is no space left.');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  it.each(['rules', 'compliance', 'evaluate examples/manifests/guestbook'])(
    'of `%s` has colours where they are forced, and none in a pipe or where they are refused',
    async (command) => {
      const run = (env: NodeJS.ProcessEnv) => bylawAlone(command.split(' '), { env });
      expect((await run({})).stdout).not.toContain(ESCAPE);
      expect((await run({ FORCE_COLOR: '1' })).stdout).toContain(ESCAPE);
      expect((await run({ FORCE_COLOR: '0' })).stdout).not.toContain(ESCAPE);
      expect((await run({ NO_COLOR: '1' })).stdout).not.toContain(ESCAPE);
    },
  );

  it('carries no colour in any format for machines', async () => {
    for (const format of ['json', 'sarif', 'junit', 'gitlab', 'html', 'markdown']) {
      const { stdout } = await bylaw(['evaluate', 'examples/manifests/guestbook', '--format', format], { env: { FORCE_COLOR: '1' } });
      expect(stdout).not.toContain(ESCAPE);
    }
  });
});

describe('standard input', () => {
  it('is read for the path -', async () => {
    const { code, stdout } = await bylawAlone(['evaluate', '-', '--json'], { input: POD('piped') });
    expect(JSON.parse(stdout).summary.resources).toBe(1);
    expect(code).toBe(1);
  });

  it('is not kept in memory where it is read once, and a document has the same limit as in a file', async () => {
    const { code, report, sent, peak } = await fed(['--rule', 'CS-001'], 1024);
    expect(report.errors).toMatchObject([{ code: 'document-too-large', location: { file: '<stdin>', line: 1 } }]);
    expect([code, sent]).toEqual([2, 1024]);
    expect(peak).toBeLessThan(400);
  });

  it('is refused, and no longer read, when more than 256 MiB would have to be kept to read it twice', async () => {
    const { code, report, sent, peak } = await fed([], 4096);
    expect(report.errors).toMatchObject([{ code: 'input-too-large', location: { file: '<stdin>' } }]);
    expect(code).toBe(2);
    expect(sent).toBeLessThan(300);
    expect(peak).toBeLessThan(700);
  });
});

/**
 * Evaluates one long line from standard input.
 * @param megabytes how long it is, unless no more is taken
 * @returns how much was taken, and the most memory that the process ever had, both in MiB
 */
async function fed(args: readonly string[], megabytes: number) {
  const child = startBylaw(['evaluate', '-', '--json', ...args]);
  const gone = new Promise((resolve) => child.stdin.once('close', resolve));
  child.stdin.on('error', () => undefined);
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const piece = Buffer.alloc(1024 * 1024, 'a');
  let sent = 0;
  let peak = 0;
  for (; sent < megabytes && child.stdin.writable; sent += 1) {
    if (!child.stdin.write(piece)) await Promise.race([gone, new Promise((resolve) => child.stdin.once('drain', resolve))]);
    peak = peakOf(child.pid) ?? peak;
  }
  child.stdin.end();
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
  return { code, report: JSON.parse(stdout), sent, peak };
}

/** Linux keeps it for every process; undefined for one that has ended. */
function peakOf(pid = 0): number | undefined {
  if (process.platform !== 'linux') return 0;
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

describe('the threshold', () => {
  it.each([
    ['critical', 1],
    ['CRITICAL', 1],
    ['Info', 1],
    ['none', 0],
  ])('%s makes a CRITICAL finding exit with %i', async (threshold, expected) => {
    const { code } = await bylaw(['evaluate', '-', '--fail-on', threshold, '--rule', 'cs-001'], { input: POD('p') });
    expect(code).toBe(expected);
  });

  it('above all findings lets the command pass', async () => {
    const { code, stdout } = await bylaw(['evaluate', '-', '--fail-on', 'critical', '--severity', 'low', '--json'], { input: POD('p') });
    expect(JSON.parse(stdout).summary.by_severity.LOW).toBeGreaterThan(0);
    expect(code).toBe(0);
  });
});

describe('a report file', () => {
  it('holds the same bytes as standard output would', async () => {
    const cwd = folderOf({ 'pod.yaml': POD('p') });
    const { stdout } = await bylaw(['evaluate', '.', '--json'], { cwd });
    await bylaw(['evaluate', '.', '--json', '--output', 'report.json'], { cwd });
    expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toBe(stdout);
    expect(readdirSync(cwd).sort()).toEqual(['pod.yaml', 'report.json']);
  });

  it('that cannot be written exits with 2', async () => {
    const cwd = folderOf({ 'pod.yaml': POD('p') });
    const { code, stderr } = await bylaw(['evaluate', '.', '--output', 'nowhere/report.txt'], { cwd });
    expect(stderr).toContain('Cannot write nowhere/report.txt: its folder does not exist');
    expect(code).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stays as it was when the run is ended by %s, and no draft of it stays', async (signal) => {
    const cwd = folderOf({ 'report.json': 'before' });
    const server = await silentServer();
    const child = startBylaw(['evaluate', '-', '--json', '--output', 'report.json', '--remote', server.url], { cwd });
    child.stdin.end(POD('p'));
    await server.asked;
    await vi.waitFor(() => expect(readdirSync(cwd)).toHaveLength(2));
    child.kill(signal);
    const [code, ended] = await once(child, 'exit');
    expect({ code, ended }).toEqual({ code: null, ended: signal });
    expect(readdirSync(cwd)).toEqual(['report.json']);
    expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toBe('before');
  });
});

describe('a baseline', () => {
  it('accepts what is there, and lets new findings fail', async () => {
    const cwd = folderOf({ 'pods.yaml': POD('old') });
    const written = await bylaw(['evaluate', 'pods.yaml', '--write-baseline', 'baseline.json'], { cwd });
    expect(written.code).toBe(0);
    expect((await bylaw(['evaluate', 'pods.yaml', '--baseline', 'baseline.json'], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, 'pods.yaml'), `${POD('new')}---\n${POD('old')}`);
    const { code, stdout } = await bylaw(['evaluate', 'pods.yaml', '--baseline', 'baseline.json', '--json'], { cwd });
    const { findings } = JSON.parse(stdout);
    expect(
      findings
        .filter(({ status }: { status: string }) => status === 'fail')
        .map(({ resource }: { resource: { name: string } }) => resource.name),
    ).toContain('new');
    expect(
      findings
        .filter(({ resource }: { resource: { name: string } }) => resource.name === 'old')
        .every(({ status }: { status: string }) => status === 'suppressed'),
    ).toBe(true);
    expect(code).toBe(1);
  });

  it('that does not exist exits with 3', async () => {
    const { code, stderr } = await bylaw(['evaluate', '-', '--baseline', 'none.json'], { input: POD('p') });
    expect(stderr).toContain('Cannot read the baseline none.json');
    expect(code).toBe(3);
  });
});

describe('init', () => {
  it('writes a configuration that is valid, and the file of the CI system', async () => {
    const cwd = folderOf();
    const { code, stdout } = await bylaw(['init', '--yes', '--plugins', 'k8s', '--fail-on', 'critical', '--ci', 'github', '--json'], {
      cwd,
    });
    expect(JSON.parse(stdout)).toEqual({ written: ['bylaw.yaml', '.github/workflows/bylaw.yaml'] });
    expect(code).toBe(0);
    const checked = JSON.parse((await bylaw(['config', 'check', '--json'], { cwd })).stdout);
    expect(checked.settings).toContainEqual({ key: 'evaluate.fail_on', value: 'CRITICAL', origin: 'file', source: 'bylaw.yaml:4:3' });
    expect(checked.settings).toContainEqual(expect.objectContaining({ key: 'plugins', value: ['k8s'] }));
  });

  it('replaces no file without being told to', async () => {
    const cwd = folderOf({ 'bylaw.yaml': 'log: { level: warn }\n' });
    const { code, stderr } = await bylaw(['init', '--yes', '--ci', 'gitlab'], { cwd });
    expect(stderr).toContain('bylaw.yaml already exists. Nothing was written');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.gitlab'))).toBe(false);
    expect((await bylaw(['init', '--yes', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'bylaw.yaml'), 'utf8')).toContain('fail_on: HIGH');
  });
});

describe('apikey create', () => {
  it('gives another key each time, with an entry that the configuration takes', async () => {
    const [one, other] = await Promise.all([bylaw(['apikey', 'create', '--name', 'ci', '--json']), bylaw(['apikey', 'create', '--json'])]);
    const { key, entry } = JSON.parse(one.stdout);
    expect(key).toMatch(/^bylaw_[A-Za-z0-9_-]{43}$/);
    expect(key).not.toBe(JSON.parse(other.stdout).key);
    const cwd = folderOf({ 'bylaw.yaml': JSON.stringify({ api: { keys: [entry] } }) });
    expect((await bylaw(['config', 'check'], { cwd })).code).toBe(0);
  });
});

/** A server that lists its rules, and never answers an evaluation. */
async function silentServer(): Promise<{ url: string; asked: Promise<unknown> }> {
  const evaluations = new EventEmitter();
  const asked = once(evaluations, 'asked');
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end('{"rules":[],"total":0}');
    else evaluations.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }; // it listens on a port
}
