import pg from 'pg';
import { PROGRAM } from './database.js';

/**
 * Listens to a channel over a connection of its own, and connects again when it is lost. It only saves time: who relies on it
 * polls as well, since a pooler between may pass no notifications on.
 * @returns what ends it
 */
export function listenTo(dsn: string, channel: string, retryMs: number, onNotice: () => void): () => Promise<void> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const connect = async () => {
    const next = new pg.Client({ connectionString: dsn, keepAlive: true, application_name: `${PROGRAM}: listener` });
    client = next;
    const again = () => {
      if (client !== next || ended) return;
      client = undefined;
      next.end().catch(() => {});
      timer = setTimeout(connect, retryMs);
    };
    next.on('error', again);
    next.on('end', again);
    next.on('notification', onNotice);
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
    } catch {
      again();
    }
  };
  const connecting = connect();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await connecting;
    await client?.end().catch(() => {});
  };
}
