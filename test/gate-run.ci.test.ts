import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bylaw, folderOf, serveBylaw, startBylaw } from './run-cli.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const POLICIES = {
  'policies/bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 1.0.0\n',
  'policies/policies/outside.yaml': policy('outside', 'when: proposal.environment != "production", effect: allow, message: Fine.'),
  'policies/policies/no-drop.yaml': policy(
    'no-drop',
    'when: proposal.action.parameters.argv.exists(word, word == "--drop"), effect: deny, message: Nothing is dropped.',
  ),
  'policies/policies/ask.yaml': policy(
    'ask',
    'match: {environments: [production]}, effect: require_approval, approval: {groups: [sre], quorum: 1, ttl_seconds: 600, grant_ttl_seconds: 600}, message: Production needs one approver.',
  ),
};

function policy(id: string, spec: string): string {
  return `apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: ${id}, title: A policy}\nspec: {${spec}}\n`;
}

/** A real server with a store and an approver, and a folder in which commands run. */
async function gate({ dev = false } = {}) {
  const cwd = folderOf(POLICIES);
  const approver = (await bylaw(['approvals', 'key', 'carol.key'], { cwd })).stdout.replace('NAME', 'carol').replace('GROUP', 'sre');
  writeFileSync(
    join(cwd, 'bylaw.yaml'),
    `policy: {bundle: policies}\nadapters: [{adapter_id: ci, kind: ci, secret_env: SVC_ADAPTER_SECRET_CI}]\n${approver}`,
  );
  await bylaw(['keys', 'init'], { cwd });
  const own = { XDG_STATE_HOME: join(cwd, 'state'), SVC_ADAPTER_SECRET_CI: SECRET, ...(!dev && { SVC_ADAPTER_ID: 'ci' }) };
  const server = await serveBylaw({ cwd, env: own, args: ['--port', '0', ...(dev ? ['--dev'] : [])] });
  const env = { ...own, SVC_API_URL: server.url };
  const at = { cwd, env };
  return {
    cwd,
    env,
    server,
    bylaw: (...args: string[]) => bylaw(args, at),
    run: (args: readonly string[], options: { input?: string | Uint8Array; env?: NodeJS.ProcessEnv } = {}) =>
      bylaw(['run', ...args], { ...at, ...options, env: { ...env, ...options.env } }),
    start: (...args: string[]) => startBylaw(args, at),
    grant: (id: string) => bylaw(['approvals', 'grant', id, '--as', 'carol', '--key', 'carol.key'], at),
    reject: (id: string) => bylaw(['approvals', 'reject', id, '--as', 'carol', '--key', 'carol.key'], at),
    /** What was recorded, of one type. */
    records: async (type: string): Promise<{ data: Data }[]> => {
      const { stdout } = await bylaw(['evidence', 'export', '--type', type], at);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    kept: () => readdirSync(join(cwd, 'state/bylaw/runs')).filter((name) => name !== 'key'),
    file: (name: string) => join(cwd, name),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: records of several types, whose members the tests compare
type Data = any;

function script(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const approvalIn = (text: string) => /apr_[0-9A-Z]+/.exec(text)?.[0] ?? '';
const production = ['--environment', 'production'];

describe('a command that the gate allows', () => {
  it('runs on the streams of the caller, untouched, and its exit code is the exit code', async () => {
    const { run, records } = await gate();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const copied = await run(['--', 'cat'], { input: bytes });
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(Buffer.from(copied.stdout)).toEqual(Buffer.from(Buffer.from(bytes).toString('utf8')));
    expect(await run(['--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
    const results = (await records('result')).map(({ data }) => data.report ?? data);
    expect(results).toMatchObject([
      { status: 'ok', exit_code: 0 },
      { status: 'error', exit_code: 7 },
    ]);
    for (const { metrics, started_at, finished_at } of results) {
      expect(metrics.duration_ms).toBeGreaterThanOrEqual(0);
      expect(started_at <= finished_at).toBe(true);
    }
  });

  it.each([
    [['a b', '', "it's", '"', '\\', '\n', '$HOME', '*', '`id`', ';', '&&', '|', 'é😀', '\t\u0001']],
    [['--json', '--help', '--version', '-h', '--']],
    [['--', '--', 'x']],
  ])('gets exactly these words, without a shell: %j', async (words) => {
    const { run, records, cwd } = await gate();
    const program = script(join(cwd, 'words'), 'for word in "$@"; do printf "%s\\0" "$word"; done');
    const { code, stdout } = await run(['--', program, ...words]);
    expect([code, stdout.split('\0').slice(0, -1)]).toEqual([0, words]);
    const [{ data } = { data: undefined }] = await records('proposal');
    expect(data.proposal.action.parameters).toMatchObject({ argv: [program, ...words], cwd, executable: program });
  });

  it('is not started if a word is not valid UTF-8', async () => {
    const { env, cwd } = await gate();
    // The shell makes bytes that a JavaScript string cannot hold.
    const child = spawn('sh', ['-c', `exec "$0" "$1" run -- echo "$(printf 'a\\377')"`, process.execPath, join(import.meta.dirname, '../bin/run.js')], {
      cwd,
      env: { ...process.env, ...env },
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(stderr).toContain('Word 2 of the command is not valid UTF-8');
  });

  it('does not get the secret of the adapter', async () => {
    const { run } = await gate();
    const { stdout } = await run(['--', 'env'], { env: { OTHER: 'stays' } });
    expect(stdout).toContain('OTHER=stays');
    expect(stdout).not.toContain(SECRET);
  });

  it('has its secrets masked in the evidence, and no message of bylaw repeats a word', async () => {
    const { run, bylaw: command } = await gate();
    const denied = await run(['--', 'true', '--drop', '--password', 'hunter2', 'TOKEN=hunter3']);
    expect(denied).toMatchObject({ code: 10, stdout: '' });
    expect(denied.stderr).toContain('Nothing is dropped.');
    expect(denied.stderr).not.toContain('hunter');
    const { stdout } = await command('evidence', 'export');
    expect(stdout).toContain('[masked:option]');
    expect(stdout).not.toContain('hunter');
  });

  it('takes what else there is to say from flags and a file', async () => {
    const { run, records, file } = await gate();
    writeFileSync(
      file('base.json'),
      JSON.stringify({ principal: { id: 'x', type: 'human' }, action: { type: 'db.migrate', parameters: { argv: 'forged', ticket: 'T-1' } }, context: { run: 7 } }),
    );
    const flags = ['--proposal', 'base.json', '--principal', 'ann', '--resource', 'db://orders', '--enforcement', 'enforcing', '--justification', 'Release'];
    expect((await run([...flags, '--', 'true'])).code).toBe(0);
    const [{ data } = { data: undefined }] = await records('proposal');
    expect(data.proposal).toMatchObject({
      adapter: 'ci',
      principal: { id: 'ann', type: 'human' },
      action: { type: 'db.migrate', resource: 'db://orders', parameters: { argv: ['true'], ticket: 'T-1' } },
      environment: 'local',
      context: { run: 7 },
    });
    const [result] = await records('result');
    expect(result).toMatchObject({ assurance: 'adapter' });
  });
});

describe('a command without an ALLOW of the gate', () => {
  it.each([
    ['is denied', ['--', 'touch', 'ran', '--drop'], 10],
    ['needs an approval', [...production, '--', 'touch', 'ran'], 11],
    ['is refused as a request', ['--principal', `ghp_${'a1B2'.repeat(9)}`, '--', 'touch', 'ran'], 12],
    ['cannot be proposed', ['--environment', 'Not Valid', '--', 'touch', 'ran'], 2],
    ['cannot be decided on, as nobody answers', ['--server', 'http://127.0.0.1:1', '--patience', '0', '--', 'touch', 'ran'], 13],
    ['has no --', ['touch', 'ran'], 2],
    ['has nothing after --', ['--'], 2],
    ['has a word before --', ['touch', '--', 'ran'], 2],
  ])('does not run: it %s', async (_, args, code) => {
    const { run, file } = await gate();
    expect(await run(args)).toMatchObject({ code, stdout: '' });
    expect(existsSync(file('ran'))).toBe(false);
  });

  it('runs without a record if it is told to, but only while nothing was decided', async () => {
    const { run, file, server } = await gate();
    expect((await run([...production, '--', 'touch', 'asked'])).code).toBe(11);
    await server.stop();
    const open = ['--fail', 'open', '--patience', '0'];
    expect((await run([...open, ...production, '--', 'touch', 'asked'])).code).toBe(13);
    expect(existsSync(file('asked'))).toBe(false);
    const unguarded = await run([...open, '--', 'touch', 'ran']);
    expect(unguarded).toMatchObject({ code: 0, stderr: expect.stringContaining('without evidence') });
    expect(existsSync(file('ran'))).toBe(true);
  });
});

describe('an approval', () => {
  it('lets the same command run once, and no other', async () => {
    const { run, grant, kept, records, file, bylaw: command } = await gate();
    const args = [...production, '--', 'sh', '-c', 'echo once >> ran'];
    const asked = await run(args);
    expect(asked.code).toBe(11);
    const approval = approvalIn(asked.stderr);
    expect(asked.stderr).toContain(`bylaw approvals grant ${approval} --as NAME --key FILE`);
    expect((await run(args)).stderr).toContain(approval);
    expect(await records('proposal')).toHaveLength(1);
    const [{ data } = { data: undefined }] = await records('proposal');
    expect((await command('wait', data.proposal.id, '--timeout', '0')).code).toBe(11);
    await grant(approval);
    expect(await command('wait', data.proposal.id)).toMatchObject({ code: 0, stdout: `The approval ${approval} is granted.\n` });

    for (const other of [
      [...production, '--', 'sh', '-c', 'echo twice >> ran'],
      [...production, '--', 'sh', '-c', 'echo once >> ran', ''],
      [...production, '--principal', 'ann', '--', 'sh', '-c', 'echo once >> ran'],
      [...production, '--action', 'db.migrate', '--', 'sh', '-c', 'echo once >> ran'],
    ])
      expect((await run(other)).code).toBe(11);
    expect(existsSync(file('ran'))).toBe(false);

    expect(await run(args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(file('ran'), 'utf8')).toBe('once\n');
    const again = await run(args);
    expect(again.code).toBe(11);
    expect(approvalIn(again.stderr)).not.toBe(approval);
    expect(kept()).toHaveLength(5);
  });

  it('is not for another executable, another working directory or another adapter', async () => {
    const { run, grant, file, cwd, env } = await gate();
    const tool = script(file('tool'), 'echo 1');
    const args = [...production, '--', './tool'];
    await grant(approvalIn((await run(args)).stderr));
    mkdirSync(file('sub'));
    script(file('sub/tool'), 'echo 1');
    expect((await bylaw(['run', ...args], { cwd: file('sub'), env })).code).toBe(11);
    script(tool, 'echo 2');
    expect((await run(args)).code).toBe(11);
    script(tool, 'echo 1');
    expect(await bylaw(['run', ...args], { cwd, env })).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('serves one of two runs that want it at once', async () => {
    const { run, grant, file } = await gate();
    const args = [...production, '--', 'sh', '-c', 'echo once >> ran'];
    await grant(approvalIn((await run(args)).stderr));
    const codes = (await Promise.all([run(args), run(args), run(args)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 11, 11]);
    expect(readFileSync(file('ran'), 'utf8')).toBe('once\n');
  });

  it('can be waited for', async () => {
    const { start, grant, file } = await gate();
    const child = start('run', ...production, '--wait', '--timeout', '60', '--', 'sh', '-c', 'echo out; exit 3');
    const approval = await said(child.stderr, approvalIn);
    const output = once(child.stdout, 'data');
    await grant(approval);
    expect(String((await output)[0])).toBe('out\n');
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(existsSync(file('ran'))).toBe(false);
  });

  it('is waited for only so long', async () => {
    const { run } = await gate();
    expect((await run([...production, '--wait', '--timeout', '1', '--', 'true'])).code).toBe(11);
  });

  it('that was rejected stops the command once, and a later run asks anew', async () => {
    const { run, reject } = await gate();
    const args = [...production, '--', 'true'];
    const approval = approvalIn((await run(args)).stderr);
    await reject(approval);
    expect(await run(args)).toMatchObject({ code: 10, stderr: `The approval ${approval} is rejected.\n` });
    const anew = await run(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('whose proposal somebody has reported as done is not used', async () => {
    const { run, grant, records, bylaw: command } = await gate();
    const args = [...production, '--', 'true'];
    const approval = approvalIn((await run(args)).stderr);
    await grant(approval);
    const [{ data } = { data: undefined }] = await records('proposal');
    await command('result', data.proposal.id, '--status', 'ok');
    const anew = await run(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('survives a kill -9 of the run that waits for it', async () => {
    const { start, run, grant, file } = await gate();
    const args = [...production, '--', 'touch', 'ran'];
    const child = start('run', '--wait', ...args);
    const approval = await said(child.stderr, approvalIn);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await grant(approval);
    expect((await run(args)).code).toBe(0);
    expect(existsSync(file('ran'))).toBe(true);
  });

  it('is used up when the run that uses it is killed with -9', async () => {
    const { start, run, grant, kept } = await gate();
    const args = [...production, '--', 'sh', '-c', 'echo started; exec sleep 60'];
    const approval = approvalIn((await run(args)).stderr);
    await grant(approval);
    const child = start('run', ...args);
    await once(child.stdout, 'data');
    expect(kept()).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const anew = await run(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('says where it can be granted on a server in dev mode', async () => {
    const { run } = await gate({ dev: true });
    expect((await run([...production, '--', 'true'])).stderr).toMatch(/approvals grant apr_\w+ --as NAME --key FILE --dev\n/);
    expect((await run(['--', 'true'])).code).toBe(0);
  });
});

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('reaches the command: %s', async (signal) => {
    const { start, records } = await gate();
    const child = start('run', '--', 'sh', '-c', `trap 'echo caught; exit 5' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`);
    await once(child.stdout, 'data');
    const caught = once(child.stdout, 'data');
    child.kill(signal);
    expect(String((await caught)[0])).toBe('caught\n');
    expect(await once(child, 'exit')).toEqual([5, null]);
    const [{ data } = { data: undefined }] = await records('result');
    expect(data.report ?? data).toMatchObject({ status: 'error', exit_code: 5 });
  });

  it('that ends the command gives 128 and its number, and is reported', async () => {
    const { start, records } = await gate();
    const child = start('run', '--', 'sh', '-c', 'echo ready; exec sleep 60');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    const [{ data } = { data: undefined }] = await records('result');
    expect(data.report ?? data).toMatchObject({ status: 'error', exit_code: 143, message: 'The command was ended by SIGTERM.' });
  });

  it('ends a run that still waits for an approval', async () => {
    const { start, kept } = await gate();
    const child = start('run', '--wait', ...production, '--', 'true');
    await said(child.stderr, approvalIn);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(kept()).toHaveLength(1);
  });
});

describe('the result of a command', () => {
  it.each([
    [0, 14],
    [9, 9],
  ])('that cannot be recorded is named on stderr with what to do: after %i, the exit code is %i', async (exit, expected) => {
    const { start, server, file } = await gate();
    const waiting = `echo started; while [ ! -e go ]; do sleep 0.05; done; exit ${exit}`;
    const child = start('run', '--patience', '0', '--', 'sh', '-c', waiting);
    await once(child.stdout, 'data');
    await server.stop();
    writeFileSync(file('go'), '');
    const text = await said(child.stderr, (all) => /bylaw result .*\n/.exec(all)?.[0] ?? '');
    expect(text).toContain(`--exit-code ${exit}`);
    expect(await once(child, 'exit')).toEqual([expected, null]);
  });

  it('is not looked for again once a signal comes after the command has ended', async () => {
    const { start, server, file } = await gate();
    const child = start('run', '--patience', '600', '--', 'sh', '-c', 'echo started; while [ ! -e go ]; do sleep 0.05; done');
    await once(child.stdout, 'data');
    await server.stop();
    writeFileSync(file('go'), '');
    const ended = once(child, 'exit');
    const text = said(child.stderr, (all) => /not recorded: interrupted/.exec(all)?.[0] ?? '');
    const signals = setInterval(() => child.kill('SIGTERM'), 200);
    expect(await text).not.toBe('');
    clearInterval(signals);
    expect((await ended)[0]).toBeGreaterThan(0);
  });
});

/** Waits until something can be read from what a process has written so far. */
async function said(stream: NodeJS.ReadableStream, read: (text: string) => string): Promise<string> {
  let text = '';
  for (;;) {
    const [chunk] = await once(stream, 'data');
    text += chunk;
    const found = read(text);
    if (found !== '') return found;
  }
}
