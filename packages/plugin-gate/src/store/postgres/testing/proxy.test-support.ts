import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A relay between a store and its database, which cuts connections when a test asks for it. */
export interface Proxy {
  dsn: string;
  /** Cuts every connection, and takes none until `repair`. */
  cut(): void;
  repair(): void;
  /** Keeps every connection, and passes nothing on until `repair`: a database, or a network, that stands still. */
  stall(): void;
  /**
   * Cuts the next connection that has written into the outbox when it commits: before the server hears of that, or after it,
   * with its answer held back. `forGood`: nobody connects again until `repair`, so nobody finds out.
   */
  cutAtCommit(when: 'before' | 'after', how?: { forGood: boolean }): void;
  close(): Promise<void>;
}

export async function startProxy(dsn: string): Promise<Proxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: dsn });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const open = new Set<Socket>();
  let down = false;
  let trap: 'before' | 'after' | undefined;
  let forGood = false;
  let stalled = false;
  const held: (() => void)[] = [];
  const proxy = createServer((client) => {
    if (down) return client.destroy();
    const server = connect(target);
    let writes = false;
    let silent = false;
    const both = [client, server];
    for (const socket of both) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        for (const other of both) if (!silent) other.destroy();
      });
    }
    client.on('data', (data) => {
      writes ||= data.includes('INSERT INTO bylaw_gate.outbox');
      if (trap !== undefined && writes && data.includes('COMMIT\0')) {
        silent = trap === 'after';
        trap = undefined;
        down ||= forGood;
        if (silent) server.end(data);
        else server.destroy();
        client.destroy();
        return;
      }
      const pass = () => server.write(data);
      if (stalled) held.push(pass);
      else pass();
    });
    server.on('data', (data) => {
      if (!silent) client.write(data);
    });
    return undefined;
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  const secret = password ? `:${encodeURIComponent(String(password))}` : '';
  return {
    dsn: `postgres://${encodeURIComponent(user ?? '')}${secret}@127.0.0.1:${own}/${database}`,
    cut() {
      down = true;
      cutAll();
    },
    repair() {
      down = false;
      for (const pass of held.splice(0)) pass();
      stalled = false;
    },
    stall() {
      stalled = true;
    },
    cutAtCommit(when, how) {
      trap = when;
      forGood = how?.forGood === true;
    },
    async close() {
      proxy.close();
      cutAll();
      await once(proxy, 'close');
    },
  };
}
