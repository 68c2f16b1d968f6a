import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bylaw, folderOf, ROOT, serveBylaw } from './run-cli.js';

const EXAMPLES = join(ROOT, 'examples');

describe('a command that a server answers', () => {
  let url: string;
  beforeAll(async () => {
    const server = await serveBylaw();
    url = server.url;
    return server.stop;
  });

  it.each([
    'rules',
    'rules --json',
    'rules --json --category CS,SP --severity high',
    'rules --search "root user"',
    'rules --id cs-001',
    'rules --id CS-001 --json',
    'compliance --json',
    'compliance --framework CIS-K8S',
    'compliance --framework CIS-K8S,SOC2 --format csv',
    'compliance guestbook',
    'compliance guestbook missing.yaml --json',
    'compliance online-boutique --framework CIS-K8S --format html',
    'compliance online-boutique --category CS --severity high,critical --format csv',
    'evaluate guestbook ingress-nginx --json',
    'evaluate guestbook --json --category CS --include-passed --namespace shop',
    'evaluate online-boutique --format text --fail-on none',
    'evaluate online-boutique --format sarif',
    'evaluate online-boutique --format junit',
    'evaluate online-boutique --format markdown',
    'evaluate online-boutique --format html',
    'evaluate online-boutique --format github',
    'evaluate online-boutique --format gitlab',
    'evaluate guestbook missing.yaml README.md --json',
    'validate guestbook online-boutique --json',
    'validate guestbook guestbook',
    'validate guestbook online-boutique --provider aws --region us-east-1',
    'rules --id CS-999',
    'rules --category XX',
    'evaluate guestbook --rule CS-999',
    'compliance --framework NOPE',
  ])('says the same as here, byte by byte: %s', async (line) => {
    const args = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
    const here = await bylaw(args, { cwd: EXAMPLES });
    const there = await bylaw([...args, '--remote', url], { cwd: EXAMPLES });
    expect(there.stdout).toBe(here.stdout);
    expect(there.code).toBe(here.code);
  });

  it('has its findings drawn on the same graph as here', async () => {
    const [here, there] = [folderOf(), folderOf()];
    await bylaw(['evaluate', 'ingress-nginx', '--graph', join(here, 'graph.json')], { cwd: EXAMPLES });
    await bylaw(['evaluate', 'ingress-nginx', '--graph', join(there, 'graph.json'), '--remote', url], { cwd: EXAMPLES });
    expect(readFileSync(join(there, 'graph.json'), 'utf8')).toBe(readFileSync(join(here, 'graph.json'), 'utf8'));
  });

  it('is asked where SVC_API_URL names it', async () => {
    const { code, stdout } = await bylaw(['rules', '--json'], { env: { SVC_API_URL: `${url}/` } });
    expect(stdout).toBe((await bylaw(['rules', '--json'])).stdout);
    expect(code).toBe(0);
    expect((await bylaw(['rules'], { env: { SVC_API_URL: 'http://127.0.0.1:1' } })).code).toBe(2);
  });

  it('says the same of files that cannot be read', async () => {
    const cwd = folderOf({
      'broken.yaml': 'a: 1\na: 2\n',
      'junk.yaml': Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x81]),
      'folder/values.yaml': 'replicas: 1\n',
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { hostPID: true, containers: [{ name: a, image: nginx }] }\n',
    });
    const args = ['evaluate', 'missing.yaml', 'junk.yaml', 'broken.yaml', 'folder', 'pod.yaml', '--json'];
    const here = await bylaw(args, { cwd });
    const there = await bylaw([...args, '--remote', url], { cwd });
    expect(JSON.parse(here.stdout).errors).toHaveLength(3);
    expect(there).toEqual(here);
  });

  it('says the same of exceptions, baselines and settings of this side', async () => {
    const pods = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { hostPID: true, containers: [{ name: a, image: nginx }] }\n';
    const cwd = folderOf({
      'pods.yaml': pods,
      'old.yaml': pods.replace('{ name: p }', '{ name: old }'),
      'bylaw.yaml': 'exceptions: [{ rule: CS-021, reason: known }]\nevaluate: { exclude_rules: [CS-009] }\n',
    });
    await bylaw(['evaluate', 'old.yaml', '--write-baseline', 'baseline.json'], { cwd });
    const args = ['evaluate', 'pods.yaml', 'old.yaml', '--baseline', 'baseline.json', '--json'];
    const here = await bylaw(args, { cwd });
    expect(JSON.parse(here.stdout).summary.suppressed).toBeGreaterThan(1);
    expect(await bylaw([...args, '--remote', url], { cwd })).toEqual(here);
  });

  it('may use rules that only the server has', async () => {
    const rule = {
      ...{
        id: 'ORG-001',
        severity: 'HIGH',
        title: 'Pods stay out of the PID namespace of the node',
        description: 'It shows what else runs.',
      },
      ...{ targets: ['PodSpec'], expression: 'podSpec.?hostPID.orValue(false) != true', path: '/hostPID', fix: 'Remove hostPID.' },
      ...{ frameworks: [], references: [], peers: [] },
      examples: [{ fail: pod('a', { hostPID: true }) }, { pass: pod('a', {}) }],
    };
    const custom = folderOf({ 'rules/ORG-001.yaml': JSON.stringify(rule), 'bylaw.yaml': 'evaluate: { rule_dirs: [rules] }\n' });
    const server = await serveBylaw({ cwd: custom });
    onTestFinished(server.stop);
    for (const format of ['text', 'json', 'sarif', 'junit']) {
      const args = ['evaluate', '-', '--rule', 'ORG-001', '--format', format, '--remote', server.url];
      const { code, stdout } = await bylaw(args, { input: JSON.stringify(pod('p', { hostPID: true })) });
      expect(stdout).toContain('ORG-001');
      expect(code).toBe(1);
    }
  });

  it('refuses custom rules, which the server does not have', async () => {
    const { code, stderr } = await bylaw(['rules', '--rules', 'x', '--remote', url]);
    expect(stderr).toContain('cannot be used together with a remote server');
    expect(code).toBe(2);
  });

  it('refuses to write a baseline', async () => {
    const { code, stderr } = await bylaw(['evaluate', '.', '--write-baseline', 'x', '--remote', url]);
    expect(stderr).toContain('--write-baseline cannot be used together with a remote server');
    expect(code).toBe(2);
  });
});

describe('a server with keys', () => {
  it('answers who has one, and tells others what is missing', async () => {
    const { key, entry } = JSON.parse((await bylaw(['apikey', 'create', '--name', 'ci', '--json'])).stdout);
    const { url, stop } = await serveBylaw({ cwd: folderOf({ 'bylaw.yaml': JSON.stringify({ api: { keys: [entry] } }) }) });
    onTestFinished(stop);
    const without = await bylaw(['rules', '--remote', url]);
    expect(without.stderr).toContain('refused the request');
    expect(without.stderr).toContain('SVC_API_KEY');
    expect(without.code).toBe(2);
    const wrong = await bylaw(['rules', '--remote', url], { env: { SVC_API_KEY: 'wrong' } });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toContain('wrong\n');
    const right = await bylaw(['rules', '--json', '--remote', url], { env: { SVC_API_KEY: key } });
    expect(right.stdout).toBe((await bylaw(['rules', '--json'])).stdout);
    expect(right.code).toBe(0);
  });
});

describe('a server that is none', () => {
  it.each([
    ['does not exist', 'http://127.0.0.1:1', 'nothing is listening at this address'],
    ['has no known name', 'http://bylaw.invalid', 'the host name'],
    ['is no address', 'bylaw.example.com', 'must be an http or https URL'],
  ])('because it %s exits with 2', async (_why, address, message) => {
    const { code, stderr } = await bylaw(['rules', '--remote', address]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  it.each([
    ['another program', 200, 'text/html', '<html>'],
    ['a proxy that fails', 502, 'text/plain', 'Bad gateway'],
    ['a server that sends elsewhere', 302, 'text/plain', ''],
    ['a server with problems of its own', 404, 'application/json', '{"message":"no Route matched"}'],
  ])('but %s exits with 2', async (_what, status, type, body) => {
    const address = await answering(status, type, body);
    const { code, stdout, stderr } = await bylaw(['rules', '--json', '--remote', address]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'remote-refused',
      message: expect.stringContaining(`returned status ${status} `),
    });
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    ['finops anomalies --focus cost/focus.csv', '{"status":"ok"}'],
    ['finops forecast --focus cost/focus.csv --json', '{"schema":"finops.anomalies/v1"}'],
    ['carbon estimate guestbook --provider aws', 'null'],
    ['carbon report guestbook --provider aws', '[]'],
    ['scores trend --project shop', '{"status":"ok"}'],
  ])('but answers JSON of its own is no server to `%s`', async (command, body) => {
    const address = await answering(200, 'application/json', body);
    const { code, stdout, stderr } = await bylaw([...command.split(' '), '--remote', address], { cwd: EXAMPLES });
    expect(stderr).toContain('a body that is not from bylaw');
    expect([code, stdout]).toEqual([2, '']);
  });

  it('says nothing to the terminal but what can be printed', async () => {
    const address = await answering(
      422,
      'application/problem+json',
      JSON.stringify({ title: '\u001b[31mred', detail: '\u001b]0;x\u0007' }),
    );
    const { code, stderr } = await bylaw(['rules', '--remote', address]);
    expect(stderr).toContain('red (422)');
    expect(stderr).not.toContain('\u001b');
    expect(code).toBe(2);
  });
});

/** The address of a server that answers everything alike. */
async function answering(status: number, type: string, body: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:1/' }).end(body),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens on a port
  return `http://127.0.0.1:${port}`;
}

function pod(name: string, spec: object): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'a', image: 'nginx' }], ...spec } };
}
