import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signRequest } from '../../auth/index.js';
import { newKeyPem } from '../../keys/index.js';
import { proposal, writeBundle } from '../testing/gate-folder.test-support.js';
import { SECRET } from '../testing/gate-server.test-support.js';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));
const children: ChildProcess[] = [];
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bylaw-serve-gate-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(cwd, { recursive: true });
});

interface Served {
  child: ChildProcess;
  url: string;
  /** What was written to stderr so far. */
  log: () => string;
  ended: Promise<[number | null, string | null]>;
}

async function serve(...args: string[]): Promise<Served> {
  const child = spawn(process.execPath, [RUN, 'serve', '--port', '0', '--json', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: SECRET },
  });
  children.push(child);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'close') as Served['ended']; // what the event carries
  const [first] = await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(log)))]);
  return { child, url: (JSON.parse(String(first)) as { url: string }).url, log: () => log, ended };
}

/** A gate with a key, a bundle and the adapter `ci`. */
async function configured(yaml = ''): Promise<void> {
  await writeBundle(cwd, bundle('1.0.0'));
  await mkdir(join(cwd, '.bylaw'), { mode: 0o700, recursive: true });
  await writeFile(join(cwd, '.bylaw', 'signing.key'), newKeyPem(), { mode: 0o600 });
  await writeFile(join(cwd, 'bylaw.yaml'), `policy: {bundle: bundle}\nadapters: [{adapter_id: ci, kind: ci, secret_env: CI}]\n${yaml}`);
}

const bundle = (version: string) => ({
  'bundle.yaml': `apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: ${version}\ndefault: allow\n`,
});

async function submit(url: string, id: string): Promise<{ status: number; body: { [member: string]: unknown } }> {
  const body = JSON.stringify(proposal(id));
  const headers = signRequest({ method: 'POST', target: '/v1/proposals', adapterId: 'ci', secret: SECRET, at: new Date(), body });
  const answer = await fetch(`${url}/v1/proposals`, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
  return { status: answer.status, body: (await answer.json()) as { [member: string]: unknown } };
}

describe('bylaw serve with the gate', () => {
  it('warns on stderr in dev mode, works without any file, and still is not ready (gate/auth.10)', async () => {
    const { url, log, child, ended } = await serve('--dev');
    expect(log()).toContain('WARNING: dev mode: signatures are not checked');
    expect((await submit(url, 'p-1')).status).toBe(200);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('refuses to be reached by others in dev mode, whatever else is allowed (gate/auth.10)', async () => {
    await expect(serve('--dev', '--host', '0.0.0.0', '--allow-unauthenticated')).rejects.toThrow(
      'With --dev, the server must listen on a loopback address',
    );
  });

  it('mounts the gate alone, which needs no API key to be reached by others', async () => {
    await configured();
    const { url, child, ended } = await serve('--only', 'gate', '--host', '0.0.0.0');
    const local = url.replace('0.0.0.0', '127.0.0.1');
    expect((await fetch(`${local}/readyz`)).status).toBe(200);
    expect((await submit(local, 'p-1')).status).toBe(200);
    for (const path of ['/api/v1/health', '/api/v1/rules']) expect((await fetch(`${local}${path}`)).status).toBe(404);
    const { paths } = (await (await fetch(`${local}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/proposals', '/healthz', '/readyz', '/openapi.json']));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('without a configured gate has none of its routes, opens no store, and shares its folder with another such server', async () => {
    await writeFile(join(cwd, 'bylaw.yaml'), 'signing: {key_file: none.key}\n');
    const servers = [await serve(), await serve()];
    for (const { url, log } of servers) {
      expect((await submit(url, 'p-1')).status).toBe(404);
      expect((await fetch(`${url}/v1/status`)).status).toBe(404);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await expect.poll(async () => (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
      expect(log()).toContain('the gate is not configured');
    }
    expect(await readdir(cwd)).toEqual(['bylaw.yaml']);
    await expect(serve('--only', 'gate')).rejects.toThrow(/The gate is not configured.*policy\.bundle/s);
  });

  it('is the gate where there are policies or adapters, however little else, and then says why it is not ready', async () => {
    await writeFile(join(cwd, 'bylaw.yaml'), 'adapters: [{adapter_id: ci, kind: ci, secret_env: MISSING}]\n');
    const { url } = await serve('--only', 'gate');
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ reasons: [{ code: 'AG-EVD-001' }, { code: 'AG-IDN-010' }, { code: 'AG-POL-002' }] });
    await expect(serve('--only', 'gate')).rejects.toThrow('Another server has the store open');
  });

  it('asks for API keys before all routes are opened to others, and knows no plugin that is not there', async () => {
    await expect(serve('--host', '0.0.0.0')).rejects.toThrow('no API key is configured');
    await expect(serve('--only', 'nothing')).rejects.toThrow('No plugin in use is called nothing');
  });

  it('loads the bundle again at SIGHUP, between two decisions', async () => {
    await configured('api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}');
    const { url, child } = await serve('--only', 'gate');
    const versionOf = ({ body }: { body: { [member: string]: unknown } }) =>
      (body.verdict as { bundle: { version: string } }).bundle.version;
    expect(versionOf(await submit(url, 'p-0'))).toBe('1.0.0');
    await writeBundle(cwd, bundle('2.0.0'));
    child.kill('SIGHUP');
    let id = 1;
    await expect.poll(async () => versionOf(await submit(url, `p-${id++}`)), { timeout: 20_000 }).toBe('2.0.0');
  });

  it('refuses an adapter within a second of its removal by a command, and takes no new one before SIGHUP', async () => {
    await configured();
    const { url, child, log } = await serve('--only', 'gate');
    expect((await submit(url, 'p-0')).status).toBe(200);
    const removal = spawn(process.execPath, [RUN, 'adapter', 'remove', 'ci'], { cwd, stdio: 'ignore' });
    expect(await once(removal, 'close')).toEqual([0, null]);
    let id = 1;
    await expect.poll(async () => (await submit(url, `p-${id++}`)).body.code).toBe('AG-IDN-005');
    expect(log()).toContain('"adapters":["ci"]');
    await configured();
    expect((await submit(url, 'p-again')).body.code).toBe('AG-IDN-005');
    await appendFile(join(cwd, 'bylaw.yaml'), '# registered again\n');
    child.kill('SIGHUP');
    await expect.poll(async () => (await submit(url, `p-${id++}`)).status, { timeout: 20_000 }).toBe(200);
  });

  it('answers and records what it has accepted when it is told to end', async () => {
    await configured('api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}');
    const { url, child, ended } = await serve('--only', 'gate');
    expect((await submit(url, 'p-first')).status).toBe(200);
    const asked = Array.from({ length: 100 }, (_, index) => submit(url, `p-${index}`).catch(() => undefined));
    await Promise.race(asked);
    child.kill('SIGTERM');
    const answers = await Promise.all(asked);
    expect(await ended).toEqual([0, null]);
    const acknowledged = answers.flatMap((answer, index) => (answer?.status === 200 ? [`p-${index}`] : []));
    expect(acknowledged.length).toBeGreaterThan(0);
    const again = await serve('--only', 'gate');
    for (const id of acknowledged.slice(0, 20)) expect((await submit(again.url, id)).status).toBe(409);
  });

  it('says in shadow mode that nothing is enforced', async () => {
    await configured('enforcement: {mode: shadow}');
    const { log } = await serve('--only', 'gate');
    expect(log()).toContain('Shadow mode: verdicts are recorded, and every adapter is told to proceed.');
  });
});
