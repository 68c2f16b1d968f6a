import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const POD = (privileged: boolean) => `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  containers:
    - {name: app, image: 'example.com/app:1.2.3', securityContext: {privileged: ${privileged}}}
`;

/** A folder with a configuration, so that no other one is found, and a history of eight runs. */
function project(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'bylaw-scores-'));
  const files = { 'bylaw.yaml': '{}\n', 'bad.yaml': POD(true), 'good.yaml': POD(false) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const file = day < 5 ? 'bad.yaml' : 'good.yaml';
    const flags = ['--project', 'shop', '--ref', 'main', '--commit', `c${day}`, '--at', `2026-01-0${day}`];
    expect(spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), 'scores', 'record', file, ...flags], { cwd }).status).toBe(0);
  }
  return cwd;
}

describe('the history of scores', () => {
  let cwd: string;
  let url: string;
  beforeAll(async () => {
    cwd = project();
    const server = await serveBylaw({ cwd });
    url = server.url;
    return async () => {
      await server.stop();
      rmSync(cwd, { recursive: true });
    };
  });

  it.each([
    ['history', 'project=shop'],
    ['history', 'project=shop&category=CS&bucket=week&like_for_like=true&from=2026-01-02&to=2026-01-07'],
    ['history', 'project=shop&limit=3'],
    ['trend', 'project=shop'],
    ['trend', 'project=shop&window_days=30&alpha=0.2&category=cs'],
  ])('is the same by command, by REST, by a command that asks the server, and by tool: %s %s', async (what, query) => {
    const rest = await fetch(`${url}/api/v1/scores/${what}?${query}`);
    expect(rest.status).toBe(200);
    const expected = await rest.text();
    const flags = query.split('&').flatMap((part) => flagOf(part.split('=')));
    expect((await bylaw(['scores', what, ...flags, '--json'], { cwd })).stdout).toBe(expected);
    expect((await bylaw(['scores', what, ...flags, '--json', '--remote', url], { cwd })).stdout).toBe(expected);
    expect(
      await toolAnswer(`score_${what}`, Object.fromEntries(query.split('&').map((part) => argumentOf(part.split('=')))), { cwd }),
    ).toEqual(JSON.parse(expected));
  });

  it('writes a page with charts, and prints what it prints without', async () => {
    const flags = ['scores', 'history', '--project', 'shop', '--json'];
    const { stdout, code } = await bylaw([...flags, '--html', 'scores.html'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe((await bylaw(flags, { cwd })).stdout);
    const page = readFileSync(join(cwd, 'scores.html'), 'utf8');
    expect(page).toContain('<h1>Scores of shop</h1>');
    expect(page).toContain('CS Container security');
    expect(page).toContain('2026-01-08');
    expect(page.match(/<svg/g)?.length).toBeGreaterThan(1);
  });

  it('goes on with older points, each once', async () => {
    const page = async (more: string[]) =>
      JSON.parse((await bylaw(['scores', 'history', '--project', 'shop', '--limit', '5', '--json', ...more], { cwd })).stdout);
    const newest = await page([]);
    const older = await page(['--cursor', newest.next_cursor]);
    const commits = [...older.points, ...newest.points].map(({ commit }) => commit);
    expect(commits).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8']);
    expect(older.next_cursor).toBeNull();
  });

  it('sees the jump, and names the rule behind it', async () => {
    const { stdout } = await bylaw(['scores', 'trend', '--project', 'shop', '--bucket', 'day', '--json', '--category', 'CS'], { cwd });
    const { overall } = JSON.parse(stdout);
    expect(overall.current).toBeGreaterThan(overall.worst);
    expect(overall.reasons).toContainEqual({ rule_id: 'CS-001', demerit_change: -20 });
  });

  it.each([
    [['scores', 'trend', '--project', 'nope'], 2, 'does not contain this project'],
    [['scores', 'history', '--project', 'shop', '--from', '2026-02-31'], 2, 'must be a date'],
    [['scores', 'history', '--project', 'shop', '--cursor', 'abc'], 2, 'The cursor is invalid'],
    [['scores', 'trend', '--project', 'shop', '--alpha', '2'], 2, '--alpha must be a number'],
    [['scores', 'record', 'missing.yaml', '--project', 'shop'], 2, 'Nothing was evaluated'],
  ])('refuses %j', async (args, code, words) => {
    const refused = await bylaw(args, { cwd });
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });

  it.each([
    ['project=nope', 404, 'project-unknown'],
    ['', 422, 'bad-query'],
    ['project=shop&limit=0', 422, 'bad-query'],
    ['project=shop&from=2026-02-31', 422, 'bad-query'],
    ['project=shop&cursor=abc', 422, 'bad-query'],
    ['project=shop&bucket=year', 422, 'bad-query'],
  ])('answers %s with a problem', async (query, status, code) => {
    const response = await fetch(`${url}/api/v1/scores/history?${query}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });
});

describe('before the first run', () => {
  it.each(['history', 'trend'])('the %s is empty through every interface, and the command says that nothing was recorded', async (what) => {
    const cwd = folderOf({ 'bylaw.yaml': '{}\n' });
    const server = await serveBylaw({ cwd });
    const response = await fetch(`${server.url}/api/v1/scores/${what}?project=shop`);
    expect(response.status).toBe(200);
    const expected = await response.text();
    expect(JSON.parse(expected)).toMatchObject({
      project: 'shop',
      warnings: [{ code: 'nothing-recorded', message: 'Nothing has been recorded yet.', path: '' }],
      ...(what === 'history' ? { points: [], next_cursor: null } : { overall: { n: 0, verdict: 'insufficient-data' }, categories: {} }),
    });
    const command = ['scores', what, '--project', 'shop'];
    const said = {
      code: 0,
      stdout: 'Nothing has been recorded yet. Record a run with `bylaw scores record PATH --project shop`.\n',
      stderr: '',
    };
    expect(await bylaw([...command, '--json'], { cwd })).toEqual({ code: 0, stdout: expected, stderr: '' });
    expect(await bylaw(command, { cwd })).toEqual(said);
    expect(await bylaw([...command, '--remote', server.url], { cwd })).toEqual(said);
    expect(await toolAnswer(`score_${what}`, { project: 'shop' }, { cwd })).toEqual(JSON.parse(expected));
    expect((await fetch(`${server.url}/api/v1/scores/${what}?project=shop&from=2026-02-31`)).status).toBe(422);
    await server.stop();
  });

  it('a page of the history says so', async () => {
    const cwd = folderOf({ 'bylaw.yaml': '{}\n' });
    expect(await bylaw(['scores', 'history', '--project', 'shop', '--html', 'scores.html'], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'scores.html'), 'utf8')).toContain('Nothing has been recorded yet.');
  });

  it('a history that cannot be read is still 503, and 4 on the command line', async () => {
    const cwd = folderOf({ 'bylaw.yaml': 'scores: { path: folder }\n', 'folder/note.txt': '' });
    const server = await serveBylaw({ cwd });
    const response = await fetch(`${server.url}/api/v1/scores/trend?project=shop`);
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'scores-unavailable' }]);
    expect(await bylaw(['scores', 'trend', '--project', 'shop'], { cwd })).toMatchObject({ code: 4 });
    await server.stop();
  });
});

it('records no run that nobody could ask for, and none at a time that is none', async () => {
  const cwd = folderOf({ 'bylaw.yaml': 'scores: {path: history.db}\n', 'good.yaml': POD(false) });
  const record = (...flags: string[]) => bylaw(['scores', 'record', 'good.yaml', ...flags], { cwd });
  expect(await record('--project', '')).toMatchObject({ code: 2, stderr: expect.stringContaining('--project must not be empty') });
  const long = await record('--project', 'shop', '--ref', 'x'.repeat(201));
  expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining('--ref must have at most 200 characters') });
  for (const at of ['2026-02-29', '2026-02-31T00:00:00Z', 'run 5', '5'])
    expect(await record('--project', 'shop', '--at', at)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--at must be a date'),
    });
  expect(await record('--project', 'shop', '--commit', '', '--at', '2028-02-29')).toMatchObject({ code: 0 });
});

describe('a run that a server records', () => {
  const body = { project: 'shop', ref: 'main', commit: 'c1', at: '2026-03-01', files: [{ path: 'good.yaml', content: POD(false) }] };
  const post = (url: string, more: object = {}) =>
    fetch(`${url}/api/v1/scores/record`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...body, ...more }),
    });

  it('is the same by REST and by a command that asks the server, and stands in the history of the server', async () => {
    const [there, here] = [folderOf({ 'bylaw.yaml': '{}\n' }), folderOf({ 'bylaw.yaml': '{}\n', 'good.yaml': POD(false) })];
    const server = await serveBylaw({ cwd: there });
    const rest = await post(server.url);
    const recorded = (await rest.json()) as { run_id: string }; // its schema says so
    expect([rest.status, recorded]).toMatchObject([200, { recorded: true, project: 'shop', commit: 'c1', resources: 1, errors: 0 }]);
    const flags = ['--project', 'shop', '--ref', 'main', '--commit', 'c1', '--at', '2026-03-01', '--remote', server.url, '--json'];
    const command = await bylaw(['scores', 'record', 'good.yaml', ...flags], { cwd: here });
    expect(command).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(command.stdout)).toEqual({ ...recorded, recorded: false });
    const history = ['scores', 'history', '--project', 'shop', '--json'];
    expect(JSON.parse((await bylaw(history, { cwd: there })).stdout).points).toMatchObject([{ run_id: recorded.run_id, commit: 'c1' }]);
    expect(JSON.parse((await bylaw(history, { cwd: here })).stdout).points).toEqual([]);
    await server.stop();
  });

  it('is refused for what no run is, or for a score that the client computed, and nothing is recorded', async () => {
    const server = await serveBylaw({ cwd: folderOf({ 'bylaw.yaml': '{}\n' }) });
    for (const [more, code] of [
      [{ score: { overall: 100 } }, 'schema'],
      [{ at: '2026-02-31' }, 'schema'],
      [{ project: undefined }, 'schema'],
      [{ files: [] }, 'nothing-evaluated'],
      [{ rules: ['XX-001'] }, 'rule-unknown'],
    ] as const) {
      const refused = await post(server.url, more);
      expect([more, refused.status, await refused.json()]).toMatchObject([more, 422, { code }]);
    }
    expect(await (await fetch(`${server.url}/api/v1/scores/history?project=shop`)).json()).toMatchObject({ points: [] });
    await server.stop();
  });
});

it('keeps what the configuration says, where it says', async () => {
  const cwd = folderOf({ 'bylaw.yaml': 'scores: {path: kept/history.db, keep_runs: 2}\n', 'good.yaml': POD(false) });
  for (const commit of ['a', 'b', 'c'])
    await bylaw(['scores', 'record', 'good.yaml', '--project', 'shop', '--commit', commit, '--at', `2026-03-0${' abc'.indexOf(commit)}`], {
      cwd,
    });
  const { stdout } = await bylaw(['scores', 'history', '--project', 'shop', '--json'], { cwd });
  expect(JSON.parse(stdout).points.map(({ commit }: { commit: string }) => commit)).toEqual(['b', 'c']);
});

function flagOf([name = '', value = '']: string[]): string[] {
  const flag = `--${name.replaceAll('_', '-')}`;
  return value === 'true' ? [flag] : [flag, value];
}

function argumentOf([name = '', value = '']: string[]): [string, unknown] {
  if (name === 'category') return [name, [value]];
  if (value === 'true') return [name, true];
  return [name, ['limit', 'window_days', 'alpha'].includes(name) ? Number(value) : value];
}
