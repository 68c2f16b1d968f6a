import { request } from 'node:http';
import { join } from 'node:path';
import { type Child, startChild } from './child.js';

export interface Etcd extends Pick<Child, 'stop'> {
  /** As kube-apiserver takes it. */
  url: string;
  /** Forgets all revisions before now, and has API servers learn of it. */
  compact(): Promise<void>;
}

/**
 * Starts etcd with its data and its sockets in the folder, so that no port has to be found. Nothing has to survive, so nothing waits
 * for the disk.
 */
export async function startEtcd(program: string, folder: string): Promise<Etcd> {
  // To others etcd insists on naming an address with a port. There are no others.
  const unused = 'http://127.0.0.1:1';
  const url = `unix://${folder}/etcd.sock`;
  const flags = [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${unused}`,
    `--listen-peer-urls=unix://${folder}/peers.sock`,
    `--initial-advertise-peer-urls=${unused}`,
    `--initial-cluster=default=${unused}`,
    '--unsafe-no-fsync',
  ];
  const child = startChild(program, flags, folder);
  try {
    await child.until(async () => (await ask(folder, 'GET', '/health')).includes('"true"'));
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { url, compact: () => compact(folder), stop: child.stop };
}

/** As another API server of the same etcd would: this one learns of it from the key. */
async function compact(folder: string): Promise<void> {
  const put = async (revision: string) => {
    const body = { key: btoa('compact_rev_key'), value: btoa(revision) };
    return JSON.parse(await ask(folder, 'POST', '/v3/kv/put', body)).header.revision;
  };
  // A revision is only forgotten when there is a later one.
  const revision = await put('0');
  await put(revision);
  await ask(folder, 'POST', '/v3/kv/compaction', { revision, physical: true });
}

/** etcd's API over JSON, in which keys and values are base64. */
function ask(folder: string, method: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: join(folder, 'etcd.sock'), host: 'localhost', method, path }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((chunks) => resolve(chunks.join('')), reject);
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}
