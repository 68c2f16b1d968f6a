import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KubernetesObject } from '../cluster/cluster.js';
import type { ApiServer } from '../cluster/testing/api-server.test-support.js';
import { runningServer, temporaryFolder } from '../cluster/testing/connected.test-support.js';
import { anObject, runningDeployment } from '../cluster/testing/objects.test-support.js';
import { refuseLocalFlags } from './remote-scan.js';

const RUN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url));

/** A folder of its own, with a kubeconfig of the server. */
async function placeFor(server: ApiServer): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const cwd = await temporaryFolder();
  const kubeconfig = join(cwd, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig());
  return { cwd, env: { ...process.env, KUBECONFIG: kubeconfig, SVC_API_URL: '' } };
}

async function started(server: ApiServer, ...args: string[]): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, [RUN, ...args], await placeFor(server));
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const runShared = sharedProcess(new URL('../../../cli/lib/main.js', import.meta.url));
const run = async (server: ApiServer, ...args: string[]) => runShared(args, await placeFor(server));

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream)).toString();
}

const pod = (name: string, spec = {}): KubernetesObject =>
  anObject('v1', 'Pod', name, { namespace: 'shop', spec: { containers: [{ name: 'app', image: 'nginx' }], ...spec } });

describe('bylaw scan', () => {
  it('reports the findings of each resource, says what was scanned, and exits with 1 for a finding at the threshold', async () => {
    const server = await runningServer({ objects: [...runningDeployment('web', 'shop', 2), pod('debug', { hostPID: true })] });
    const { code, stdout, stderr } = await run(server, 'scan', '--rule', 'CS-003');
    expect(stdout).toContain('\nHIGH  1 finding\n\n  Pod shop/debug\n    CS-003   the pod shares the host process namespace\n');
    expect(stdout).toMatch(
      / {2}Cluster test \(v1\.34\.1\), all namespaces, 9 kinds\.\n {2}No selected rule covers \d+ kinds .*\n {2}1 finding in 2 resources, checked by 1 rule\.\n/,
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('draws what it has scanned, without what controllers make, and with what it may not list', async () => {
    const account = { containers: [{ name: 'app', image: 'nginx' }], serviceAccountName: 'web' };
    const service = anObject('v1', 'Service', 'web', { namespace: 'shop', spec: { selector: { app: 'web' } } });
    const server = await runningServer({
      objects: [...runningDeployment('web', 'shop', 2), pod('debug', { ...account, hostPID: true }), service],
    });
    server.forbid('serviceaccounts');
    const file = join(await temporaryFolder(), 'graph.json');
    const { code, stderr } = await run(server, 'scan', '--rule', 'CS-003', '--graph', file);
    expect(stderr).toMatch(/^wrote .*graph\.json: \d+ nodes, \d+ edges\n$/);
    expect(code).toBe(1);
    const { nodes, edges, legend, complete } = JSON.parse(await readFile(file, 'utf8'));
    const own = nodes.map((node: { id: string; presence: string; evaluated: boolean | null; worst: string | null }) => [
      node.id,
      node.presence,
      node.evaluated,
      node.worst,
    ]);
    expect(complete).toBe(true);
    expect(own).toContainEqual(['Deployment/shop/web', 'input', true, null]);
    expect(own).toContainEqual(['Pod/shop/debug', 'input', true, 'HIGH']);
    expect(own).toContainEqual(['Service/shop/web', 'input', false, null]);
    // It may be there, but nobody may know.
    expect(own).toContainEqual(['ServiceAccount/shop/web', 'outside', null, null]);
    expect(nodes.filter(({ kind }: { kind: string }) => kind === 'ReplicaSet')).toEqual([]);
    expect(edges.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)).toContain('Service/shop/web Deployment/shop/web');
    expect(legend.not_listed.map(({ kind }: { kind: string }) => kind)).toEqual(['ServiceAccount']);
  });

  it('does not draw while it watches, or on a server', async () => {
    const server = await runningServer();
    const { code, stderr } = await run(server, 'scan', '--watch', '--graph', 'graph.svg');
    expect(stderr).toContain('Remove --format, --output and --graph.');
    expect(code).toBe(2);
    expect(() => refuseLocalFlags({ watch: false, graph: 'graph.svg' })).toThrow('--graph cannot be used together with a remote server');
  });

  it('says that it is partial, and exits with 2', async () => {
    const server = await runningServer();
    server.forbid('secrets');
    const { code, stdout } = await run(server, 'scan', '--rule', 'SP-013');
    expect(stdout).toContain('This scan is partial: 1 kind could not be listed.');
    expect(stdout).toMatch(/Secret could not be listed: .*\(kind-not-listed\)/s);
    expect(code).toBe(2);
  });

  it('accepts what runs today, and fails on anything new', async () => {
    const server = await runningServer({ objects: [pod('old', { hostPID: true })] });
    const baseline = join(await temporaryFolder(), 'baseline.json');
    expect(await run(server, 'scan', '--rule', 'CS-003', '--write-baseline', baseline)).toMatchObject({ code: 0 });
    expect(await run(server, 'scan', '--rule', 'CS-003', '--baseline', baseline)).toMatchObject({ code: 0 });
    server.store.put(pod('new', { hostPID: true }));
    const { code, stdout } = await run(server, 'scan', '--rule', 'CS-003', '--baseline', baseline);
    expect(stdout).toContain('1 finding in 2 resources, checked by 1 rule; 1 suppressed.');
    expect(code).toBe(1);
  });

  it('refuses what the cluster does not know, and writes no half of a report', async () => {
    const server = await runningServer({ objects: [anObject('v1', 'Namespace', 'shop')] });
    const { code, stdout, stderr } = await run(server, 'scan', '--json', '-n', 'nowhere');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'namespace-unknown' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([
    [{ kubeconfig: 'x', watch: false }, /^--kubeconfig cannot/],
    [{ watch: true }, /^--watch cannot/],
    [{ watch: false, 'write-baseline': 'x' }, /^--write-baseline cannot/],
  ])('refuses what a server cannot do: %j', (flags, message) => {
    expect(() => refuseLocalFlags(flags)).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }));
  });
});

describe('bylaw scan --watch', () => {
  it('goes on with a line for each finding that comes or goes, until it is interrupted; the exit code tells what stands then', async () => {
    const server = await runningServer({ objects: [pod('old', { hostPID: true })] });
    const child = await started(server, 'scan', '--rule', 'CS-003', '--watch');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const until = async (text: string) => {
      for (let line = await lines.next(); !line.done; line = await lines.next()) if (line.value.includes(text)) return line.value;
      throw new Error(`the watch ended before it said ${text}`);
    };
    await until('Score');
    server.store.put(pod('new', { hostPID: true }));
    expect(await until('new')).toBe('+ HIGH      CS-003   Pod shop/new: the pod shares the host process namespace');
    server.store.remove(pod('old'));
    expect(await until('old')).toBe('- HIGH      CS-003   Pod shop/old: the pod shares the host process namespace');
    const stderr = readText(child.stderr);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(await stderr).toBe('watching 9 kinds; press Ctrl-C to stop\n');
  });

  it('prints a JSON value per line', async () => {
    const server = await runningServer({ objects: [pod('old', { hostPID: true })] });
    const child = await started(server, 'scan', '--rule', 'CS-003', '--watch', '--json');
    const values = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await values.next()).value ?? 'null') as unknown;
    expect(await next()).toMatchObject({ type: 'found', finding: { rule_id: 'CS-003', resource: { name: 'old' } } });
    expect(await next()).toMatchObject({ type: 'scanned', errors: [], summary: { findings: 1 }, cluster: { version: 'v1.34.1' } });
    server.store.put(pod('old'));
    expect(await next()).toMatchObject({ type: 'resolved', finding: { resource: { name: 'old' } } });
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});

describe('bylaw scan --remote', () => {
  it('has a server scan, with the same output and exit code as from here', async () => {
    const server = await runningServer({ objects: [...runningDeployment('web', 'shop'), pod('debug', { hostPID: true })] });
    server.forbid('secrets');
    const serve = await started(server, 'serve', '--port', '0');
    let url: string | undefined;
    for await (const line of createInterface(serve.stderr)) {
      url = (JSON.parse(line) as { url?: string }).url; // a line of the log
      if (url !== undefined) break;
    }
    const [here, there] = await Promise.all([run(server, 'scan'), run(server, 'scan', '--remote', String(url))]);
    expect(there).toEqual(here);
    expect(here).toMatchObject({ code: 2, stdout: expect.stringContaining('This scan is partial'), stderr: '' });
    const refused = await run(server, 'scan', '--remote', String(url), '--context', 'production');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Context is not in the list of allowed contexts (422)');
  });
});
