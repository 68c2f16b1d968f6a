import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bylaw, bylawAlone, folderOf, ROOT, serveBylaw, startBylaw } from './run-cli.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const POLICIES = {
  'policies/bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 1.0.0\n',
  'policies/policies/outside.yaml': policy('outside', 'when: proposal.environment != "production", effect: allow, message: Fine.'),
  'policies/policies/no-drop.yaml': policy(
    'no-drop',
    'when: "\\"--drop\\" in proposal.action.parameters.argv", effect: deny, message: Nothing is dropped.',
  ),
  'policies/policies/ask.yaml': policy(
    'ask',
    'match: {environments: [production]}, effect: require_approval, approval: {groups: [sre], quorum: 1, ttl_seconds: 600, grant_ttl_seconds: 600}, message: Production needs one approver.',
  ),
};

function policy(id: string, spec: string): string {
  return `apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: ${id}, title: A policy}\nspec: {${spec}}\n`;
}

interface Place {
  url: string;
  cwd: string;
  stop: () => Promise<void>;
}

/** Folders of the servers, which outlive single tests. */
const folders: string[] = [];

/** A real server with a store and an approver. */
async function serve(...args: string[]): Promise<Place> {
  const cwd = mkdtempSync(join(tmpdir(), 'bylaw-gate-'));
  folders.push(cwd);
  for (const [path, text] of Object.entries(POLICIES)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const carol = newKey();
  writeFileSync(join(cwd, 'carol.key'), carol.pem);
  writeFileSync(
    join(cwd, 'bylaw.yaml'),
    `policy: {bundle: policies}\nadapters: [{adapter_id: ci, kind: ci, secret_env: SVC_ADAPTER_SECRET_CI}]\napprovers: [{id: carol, public_key: ${carol.publicKey}, groups: [sre]}]\n`,
  );
  mkdirSync(join(cwd, '.bylaw'), { mode: 0o700 });
  writeFileSync(join(cwd, '.bylaw', 'signing.key'), newKey().pem, { mode: 0o600 });
  return { cwd, ...(await serveBylaw({ cwd, env: { SVC_ADAPTER_SECRET_CI: SECRET }, args: ['--port', '0', ...args] })) };
}

function newKey(): { pem: string; publicKey: string | undefined } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), publicKey: publicKey.export({ format: 'jwk' }).x };
}

let shared: Place;

beforeAll(async () => {
  shared = await serve();
});

afterAll(async () => {
  await shared.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** An empty folder in which commands run, before a server. */
function client(server: Place = shared, adapter: NodeJS.ProcessEnv = { SVC_ADAPTER_ID: 'ci', SVC_ADAPTER_SECRET_CI: SECRET }) {
  const cwd = realpathSync(folderOf());
  const env = { XDG_STATE_HOME: join(cwd, 'state'), SVC_API_URL: server.url, ...adapter };
  const decide = (how: string, id: string) => bylaw(['approvals', how, id, '--as', 'carol', '--key', 'carol.key'], { cwd: server.cwd });
  const records = async (type: string): Promise<Data[]> => {
    const { stdout } = await bylaw(['evidence', 'export', '--type', 'proposal', '--type', type], { cwd: server.cwd });
    const lines = stdout.split('\n').filter((line) => line !== '');
    const all: Data[] = lines.map((line) => JSON.parse(line));
    const mine = all.filter(({ data }) => data.proposal?.action.parameters?.cwd === cwd).map(({ data }) => data.proposal.id);
    return all.filter(({ type: its, data }) => its === type && mine.includes(data.proposal_id ?? data.proposal.id));
  };
  return {
    cwd,
    env,
    file: (name: string) => join(cwd, name),
    bylaw: (...args: string[]) => bylaw(args, { cwd, env }),
    run: (args: readonly string[], options: { input?: string | Uint8Array; env?: NodeJS.ProcessEnv } = {}) =>
      bylawAlone(['run', ...args], { ...options, cwd, env: { ...env, ...options.env } }),
    /** A run that starts no command. */
    ask: (args: readonly string[]) => bylaw(['run', ...args], { cwd, env }),
    start: (...args: string[]) => startBylaw(['run', ...args], { cwd, env }),
    grant: (id: string) => decide('grant', id),
    reject: (id: string) => decide('reject', id),
    /** What was recorded, of one type, for the commands of this folder. */
    records,
    kept: () => readdirSync(join(cwd, 'state/bylaw/runs')).filter((name) => name !== 'key'),
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
    const { run, records } = client();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 128);
    const copied = await run(['--', 'cat'], { input: bytes });
    expect(copied).toEqual({ code: 0, stdout: Buffer.from(bytes).toString('utf8'), stderr: '' });
    expect(await run(['--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
    const results = (await records('result')).map(({ data }) => data.report);
    expect(results).toMatchObject([
      { status: 'ok', exit_code: 0 },
      { status: 'error', exit_code: 7 },
    ]);
    for (const { metrics, started_at, finished_at } of results) {
      expect(metrics.duration_ms).toBeGreaterThan(0);
      expect(started_at <= finished_at).toBe(true);
    }
  });

  it('gets exactly its words, without a shell', async () => {
    const { run, records, file, cwd } = client();
    const program = script(file('words'), 'for word in "$@"; do printf "%s\\0" "$word"; done');
    const lines = [
      ['a b', '', "it's", '"', '\\', '\n', '$HOME', '*', '`id`', ';', '&&', '|', 'é😀', '\t\u0001'],
      ['--json', '--help', '--version', '-h', '--'],
      ['--', '--', 'x'],
    ];
    for (const words of lines) {
      const { code, stdout } = await run(['--', program, ...words]);
      expect([code, stdout.split('\0').slice(0, -1)]).toEqual([0, words]);
    }
    expect((await records('proposal')).map(({ data }) => data.proposal.action.parameters)).toMatchObject(
      lines.map((words) => ({ argv: [program, ...words], cwd, executable: program })),
    );
  });

  it('is not started if a word is not valid UTF-8', async () => {
    const { env, cwd } = client();
    // The shell makes bytes that a JavaScript string cannot hold.
    const line = 'exec "$0" "$1" run -- echo "$(printf "a\\377")"';
    const child = spawn('sh', ['-c', line, process.execPath, join(ROOT, 'bin', 'run.js')], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    });
    const stderr = said(child.stderr, (text) => (text.endsWith('\n') ? text : ''));
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(await stderr).toContain('Word 2 of the command is not valid UTF-8');
  });

  it('does not get the secret of the adapter', async () => {
    const { run } = client();
    const { stdout } = await run(['--', 'env'], { env: { OTHER: 'stays' } });
    expect(stdout).toContain('OTHER=stays');
    expect(stdout).not.toContain(SECRET);
  });

  it('takes what else there is to say from flags and a file', async () => {
    const { run, records, file } = client();
    const action = { type: 'db.migrate', parameters: { argv: 'forged', ticket: 'T-1' } };
    writeFileSync(file('base.json'), JSON.stringify({ principal: { id: 'x', type: 'human' }, action, context: { run: 7 } }));
    const flags = ['--proposal', 'base.json', '--principal', 'ann', '--resource', 'db://orders', '--enforcement', 'enforcing'];
    expect((await run([...flags, '--', 'true'])).code).toBe(0);
    expect(await records('result')).toMatchObject([{ assurance: 'adapter' }]);
    expect((await records('proposal'))[0]?.data.proposal).toMatchObject({
      adapter: 'ci',
      principal: { id: 'ann', type: 'human' },
      action: { type: 'db.migrate', resource: 'db://orders', parameters: { argv: ['true'], ticket: 'T-1' } },
      environment: 'local',
      context: { run: 7 },
    });
  });
});

describe('a command without an ALLOW of the gate', () => {
  it.each([
    ['is refused as a request', ['--principal', `ghp_${'a1B2'.repeat(9)}`, '--', 'touch', 'ran'], 12],
    ['cannot be proposed', ['--environment', 'Not Valid', '--', 'touch', 'ran'], 2],
    ['gets no answer', ['--server', 'http://127.0.0.1:1', '--patience', '0', '--', 'touch', 'ran'], 13],
    ['has no --', ['touch', 'ran'], 2],
    ['has nothing after --', ['--'], 2],
    ['has a word before --', ['touch', '--', 'ran'], 2],
    ['would have to share its standard input', ['--proposal', '-', '--', 'touch', 'ran'], 2],
  ])('does not run: it %s', async (_, args, code) => {
    const { ask, file } = client();
    expect(await ask(args)).toMatchObject({ code, stdout: '' });
    expect(existsSync(file('ran'))).toBe(false);
  });

  it('does not run if it is denied; no message repeats its words, and the evidence masks its secrets', async () => {
    const { file, records, ask } = client();
    const denied = await ask(['--', 'touch', 'ran', '--drop', '--password', 'hunter2', 'TOKEN=hunter3']);
    expect(denied).toMatchObject({ code: 10, stdout: '' });
    expect(denied.stderr).toContain('AG-POL-020 no-drop: Nothing is dropped.');
    expect(denied.stderr).not.toContain('hunter');
    expect(existsSync(file('ran'))).toBe(false);
    const recorded = JSON.stringify(await records('verdict'));
    expect(recorded).not.toContain('hunter');
    expect(JSON.stringify(await records('proposal'))).toContain('[masked:option]');
  });

  it('runs without a record if it is told to, but only while nothing was decided', async () => {
    const server = await serve();
    const { run, file } = client(server);
    expect((await run([...production, '--', 'touch', 'asked'])).code).toBe(11);
    await server.stop();
    const open = ['--fail', 'open', '--patience', '0'];
    expect((await run([...open, ...production, '--', 'touch', 'asked'])).code).toBe(13);
    expect(existsSync(file('asked'))).toBe(false);
    expect(await run([...open, '--', 'touch', 'ran'])).toMatchObject({ code: 0, stderr: expect.stringContaining('without evidence') });
    expect(existsSync(file('ran'))).toBe(true);
  });
});

describe('an approval', () => {
  it('lets the same command run once', async () => {
    const { run, grant, kept, records, file, bylaw: command, ask } = client();
    const args = [...production, '--', 'sh', '-c', 'echo once >> ran'];
    const asked = await ask(args);
    expect(asked.code).toBe(11);
    const approval = approvalIn(asked.stderr);
    expect(asked.stderr).toContain(`bylaw approvals grant ${approval} --as NAME --key FILE`);
    expect((await ask(args)).stderr).toContain(approval);
    const [proposal, ...more] = await records('proposal');
    expect(more).toEqual([]);
    const id = proposal?.data.proposal.id ?? '';
    expect((await command('wait', id, '--timeout', '0')).code).toBe(11);
    expect(existsSync(file('ran'))).toBe(false);

    await grant(approval);
    expect(await command('wait', id)).toMatchObject({ code: 0, stdout: `The approval ${approval} is granted.\n` });
    expect(await run(args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(kept()).toEqual([]);
    const again = await ask(args);
    expect(again.code).toBe(11);
    expect(approvalIn(again.stderr)).not.toBe(approval);
    expect(readFileSync(file('ran'), 'utf8')).toBe('once\n');
  });

  it('is for exactly this command: words, principal, action, working directory, executable', async () => {
    const { run, grant, file, env, ask } = client();
    const tool = script(file('tool'), 'echo 1');
    const args = [...production, '--', './tool', 'x'];
    await grant(approvalIn((await ask(args)).stderr));
    for (const other of [
      [...production, '--', './tool', 'y'],
      [...production, '--', './tool', 'x', ''],
      [...production, '--principal', 'ann', '--', './tool', 'x'],
      [...production, '--action', 'db.migrate', '--', './tool', 'x'],
    ])
      expect((await ask(other)).code).toBe(11);
    mkdirSync(file('sub'));
    script(file('sub/tool'), 'echo 1');
    expect((await bylaw(['run', ...args], { cwd: file('sub'), env })).code).toBe(11);
    script(tool, 'echo 2');
    expect((await ask(args)).code).toBe(11);
    script(tool, 'echo 1');
    expect(await run(args)).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('serves one of several runs that want it at once', async () => {
    const { run, grant, file, ask } = client();
    const args = [...production, '--', 'sh', '-c', 'echo once >> ran'];
    await grant(approvalIn((await ask(args)).stderr));
    const codes = (await Promise.all([run(args), run(args), run(args)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 11, 11]);
    expect(readFileSync(file('ran'), 'utf8')).toBe('once\n');
  });

  it('can be waited for', async () => {
    const { start, grant } = client();
    const child = start(...production, '--wait', '--timeout', '60', '--', 'sh', '-c', 'echo out; exit 3');
    const approval = await said(child.stderr, approvalIn);
    const output = once(child.stdout, 'data');
    await grant(approval);
    expect(String((await output)[0])).toBe('out\n');
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('is waited for only so long', async () => {
    const { run } = client();
    expect((await run([...production, '--wait', '--timeout', '1', '--', 'true'])).code).toBe(11);
  });

  it('that was rejected stops the command once, and a later run asks anew', async () => {
    const { reject, ask } = client();
    const args = [...production, '--', 'true'];
    const approval = approvalIn((await ask(args)).stderr);
    await reject(approval);
    expect(await ask(args)).toMatchObject({ code: 10, stderr: `The approval ${approval} is rejected.\n` });
    const anew = await ask(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('whose proposal somebody has reported as done is not used', async () => {
    const { grant, records, bylaw: command, ask } = client();
    const args = [...production, '--', 'true'];
    const approval = approvalIn((await ask(args)).stderr);
    await grant(approval);
    const [proposal] = await records('proposal');
    expect((await command('result', proposal?.data.proposal.id ?? '', '--status', 'ok')).code).toBe(0);
    const anew = await ask(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('survives a kill -9 of the run that waits for it', async () => {
    const { start, run, grant, file } = client();
    const args = [...production, '--', 'touch', 'ran'];
    const child = start('--wait', ...args);
    const approval = await said(child.stderr, approvalIn);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await grant(approval);
    expect((await run(args)).code).toBe(0);
    expect(existsSync(file('ran'))).toBe(true);
  });

  it('is used up when the run that uses it is killed with -9', async () => {
    const { start, grant, kept, ask } = client();
    const args = [...production, '--', 'sh', '-c', 'echo $$; exec sleep 600'];
    const approval = approvalIn((await ask(args)).stderr);
    await grant(approval);
    const child = start(...args);
    const sleeper = Number(await said(child.stdout, (text) => text.trim()));
    onTestFinished(() => void process.kill(sleeper, 'SIGKILL'));
    expect(kept()).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const anew = await ask(args);
    expect(anew.code).toBe(11);
    expect(approvalIn(anew.stderr)).not.toBe(approval);
  });

  it('is asked for on a server in dev mode, too, without an adapter', async () => {
    const server = await serve('--dev');
    const { run } = client(server, {});
    expect((await run([...production, '--', 'true'])).stderr).toMatch(/approvals grant apr_\w+ --dev --as NAME\n/);
    expect(await run(['--', 'echo', 'dev'])).toEqual({ code: 0, stdout: 'dev\n', stderr: '' });
    await server.stop();
  });
});

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('reaches the command: %s', async (signal) => {
    const { start } = client();
    const loop = `trap 'echo caught; exit 5' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
    const child = start('--', 'sh', '-c', loop);
    await once(child.stdout, 'data');
    const caught = once(child.stdout, 'data');
    child.kill(signal);
    expect(String((await caught)[0])).toBe('caught\n');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });

  it('that ends the command gives 128 and its number, and is reported', async () => {
    const { start, records } = client();
    const child = start('--', 'sh', '-c', 'echo ready; exec sleep 600');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(await records('result')).toMatchObject([
      { data: { report: { status: 'error', exit_code: 143, message: 'The command was ended by SIGTERM.' } } },
    ]);
  });

  it('ends a run that still waits for an approval', async () => {
    const { start, kept } = client();
    const child = start('--wait', ...production, '--', 'true');
    await said(child.stderr, approvalIn);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(kept()).toHaveLength(1);
  });
});

describe('the result of a command', () => {
  it('that cannot be recorded is named on stderr with what to do, and the exit code is 14 or that of the command', async () => {
    const server = await serve();
    const { start, file } = client(server);
    const begun = await Promise.all(
      [0, 9].map(async (exit) => {
        const child = start('--patience', '0', '--', 'sh', '-c', `echo started; while [ ! -e go ]; do sleep 0.05; done; exit ${exit}`);
        await once(child.stdout, 'data');
        return { child, exit, hint: said(child.stderr, (text) => /bylaw result .*\n/.exec(text)?.[0] ?? ''), ended: once(child, 'exit') };
      }),
    );
    await server.stop();
    writeFileSync(file('go'), '');
    for (const { exit, hint, ended } of begun) {
      expect(await hint).toContain(`--exit-code ${exit}`);
      expect(await ended).toEqual([exit === 0 ? 14 : exit, null]);
    }
  });

  it('is given up when a signal comes after the command has ended', async () => {
    const server = await serve();
    const { start, file } = client(server);
    const child = start('--patience', '600', '--', 'sh', '-c', "trap '' TERM; echo started; while [ ! -e go ]; do sleep 0.05; done");
    await once(child.stdout, 'data');
    await server.stop();
    writeFileSync(file('go'), '');
    const ended = once(child, 'exit');
    // Until the command has ended, it ignores the signal.
    const signals = setInterval(() => child.kill('SIGTERM'), 100);
    expect(await said(child.stderr, (text) => /not recorded: .*\./.exec(text)?.[0] ?? '')).toContain('interrupted');
    clearInterval(signals);
    expect(await ended).toEqual([14, null]);
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
