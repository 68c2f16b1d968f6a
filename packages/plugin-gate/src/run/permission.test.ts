import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Connection, FailMode } from '../client/index.js';
import { newKeyPem, signerFromPem } from '../keys/index.js';
import type { Envelope } from '../proposal/index.js';
import { proposal } from '../service/testing/gate-folder.test-support.js';
import { type GateServer, gateServers, SECRET } from '../service/testing/gate-server.test-support.js';
import { openKeptRuns } from './kept-runs.js';
import { type Asking, askPermission } from './permission.js';

const BYLAW = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));
const KEY = newKeyPem();
const YAML = `approvers: [{id: carol, public_key: ${signerFromPem(KEY).publicKey}, groups: [sre]}]\n`;
const start = gateServers();

let folder: string;
let ids: number;
let said: string[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bylaw-permission-')), 'runs');
  ids = 0;
  said = [];
  onTestFinished(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
});

/** A server whose clock says what the commands of an approver say. */
async function gate(): Promise<GateServer> {
  const server = await start({ yaml: YAML });
  writeFileSync(join(server.folder, 'carol.key'), KEY, { mode: 0o600 });
  server.setTime(new Date().toISOString());
  return server;
}

/** As the approver does it. */
async function decide(server: GateServer, how: 'grant' | 'reject', text: string): Promise<void> {
  const id = approvalIn(text);
  await promisify(execFile)(process.execPath, [BYLAW, 'approvals', how, id, '--as', 'carol', '--key', 'carol.key'], { cwd: server.folder });
}

const approvalIn = (text: string | undefined) => /apr_[0-9A-Z]{26}/.exec(text ?? '')?.[0] ?? '';

/** Asks as one run of a command does. */
async function ask(server: { url: string; now(): Date }, more: { [member: string]: unknown } = {}, how: Partial<Asking> = {}) {
  const connection: Connection = {
    url: server.url,
    identity: { adapterId: 'ci', secret: SECRET },
    now: () => server.now(),
    wait: () => Promise.reject(new Error('nothing was to be waited for')),
    attemptMs: 10_000,
  };
  const kept = await openKeptRuns(folder, { url: server.url, more: JSON.stringify(more) });
  return askPermission({
    connection,
    kept,
    propose: () => {
      const envelope: Envelope = { proposal: proposal(`p-${++ids}`, more) as Envelope['proposal'] }; // the test support writes valid ones
      return { envelope, body: JSON.stringify(envelope) };
    },
    fail: 'closed' as FailMode,
    patienceMs: 0,
    waitMs: 0,
    tell: (text) => void said.push(text),
    ...how,
  });
}

const production = { environment: 'production' };

describe('the permission to run a command', () => {
  it('follows the decision, and says the reasons of a denial', async () => {
    const server = await gate();
    expect(await ask(server)).toEqual({ kind: 'allowed', proposalId: 'p-1' });
    expect(await ask(server, { action: { type: 'db.drop', resource: 'db://x' } })).toEqual({
      kind: 'stopped',
      exit: 10,
      text: 'The gate denies this.\n  AG-POL-020 no-drop: Nothing is dropped.',
    });
    expect(said).toEqual([]);
  });

  it('is a new proposal each time nothing was waited for: an ALLOW is not kept', async () => {
    const server = await gate();
    await ask(server);
    expect(await ask(server)).toEqual({ kind: 'allowed', proposalId: 'p-2' });
  });

  it('is asked for once while an approval is pending, and given once after the grant', async () => {
    const server = await gate();
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect([ids, approvalIn(said[0])]).toEqual([1, approvalIn(said[1])]);
    await decide(server, 'grant', said[0] ?? '');
    expect(await ask(server, { ...production, justification: 'Another' })).toMatchObject({ kind: 'stopped', exit: 11 });
    const asked = await Promise.all([ask(server, production), ask(server, production), ask(server, production)]);
    expect(asked.filter(({ kind }) => kind === 'allowed')).toEqual([{ kind: 'allowed', proposalId: 'p-1' }]);
    expect(asked.filter(({ kind }) => kind === 'stopped')).toMatchObject([{ exit: 11 }, { exit: 11 }]);
  });

  it('is asked for anew after a rejection was told once', async () => {
    const server = await gate();
    await ask(server, production);
    await decide(server, 'reject', said[0] ?? '');
    expect(await ask(server, production)).toMatchObject({
      kind: 'stopped',
      exit: 10,
      text: `The approval ${approvalIn(said[0])} is rejected.`,
    });
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect(ids).toBe(2);
  });

  it('is asked for anew after the approval has expired, and says so', async () => {
    const server = await gate();
    await ask(server, production);
    server.advance(61_000);
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect(said[1]).toBe(`The approval ${approvalIn(said[0])} is expired. A new one is requested.`);
    expect(approvalIn(said[2])).not.toBe(approvalIn(said[0]));
  });

  it('is not given for a proposal that somebody has reported as done', async () => {
    const server = await gate();
    await ask(server, production);
    await decide(server, 'grant', said[0] ?? '');
    await server.send('POST', '/v1/proposals/p-1/result', { body: { status: 'ok' } });
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect(ids).toBe(2);
  });

  it('is asked for anew on a server that does not know the proposal', async () => {
    const server = await gate();
    const kept = await openKeptRuns(folder, { url: server.url, more: JSON.stringify(production) });
    await kept.keep({ proposalId: 'p-unknown', approval: 'apr_1' });
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect((await kept.find()).map(({ proposalId }) => proposalId)).toEqual(['p-1']);
  });

  it('is not given for an approval that is not the one that was kept', async () => {
    const server = await gate();
    await ask(server, production);
    await decide(server, 'grant', said[0] ?? '');
    const kept = await openKeptRuns(folder, { url: server.url, more: JSON.stringify(production) });
    await kept.claim({ proposalId: 'p-1', approval: '' });
    await kept.keep({ proposalId: 'p-1', approval: 'apr_other' });
    expect(await ask(server, production)).toMatchObject({ kind: 'stopped', exit: 11 });
    expect(ids).toBe(2);
  });
});

describe('without a decision', () => {
  it('nothing is allowed: not reached, refused, not decided', async () => {
    const now = () => new Date();
    expect(await ask({ url: 'http://127.0.0.1:1', now })).toMatchObject({ kind: 'stopped', exit: 13 });
    const server = await gate();
    expect(await ask(server, { environment: 'Not Valid' })).toMatchObject({ kind: 'stopped', exit: 12 });
    expect(await ask({ url: await answering(503), now })).toMatchObject({ kind: 'stopped', exit: 12 });
    expect(await ask({ url: await answering(200), now })).toMatchObject({ kind: 'stopped', exit: 12 });
  });

  it('`--fail open` lets a command run that nobody decided on, and none that was refused', async () => {
    const now = () => new Date();
    const open = { fail: 'open' } as const;
    expect(await ask({ url: 'http://127.0.0.1:1', now }, {}, open)).toMatchObject({ kind: 'unguarded' });
    expect(await ask({ url: await answering(401), now }, {}, open)).toMatchObject({ kind: 'stopped', exit: 12 });
  });

  it('`--fail open` does not replace an approval that the gate has asked for', async () => {
    const server = await gate();
    await ask(server, production);
    const { url } = server;
    await server.stop();
    expect(await ask({ url, now: () => new Date() }, production, { fail: 'open' })).toMatchObject({ kind: 'stopped', exit: 13 });
  });
});

/** Something that answers, but is not a gate. */
async function answering(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a host and a port
}
