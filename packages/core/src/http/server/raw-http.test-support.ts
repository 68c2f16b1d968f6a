import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test writes bytes as it likes, and reads what comes back. */
export interface RawConnection {
  write(text: string | Uint8Array): void;
  /** Everything received once the text matches. */
  until(pattern: RegExp): Promise<string>;
  /** Everything received once the server has ended the connection. */
  closed(): Promise<string>;
  socket: Socket;
}

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    ended = true;
    wake();
  });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const when = (holds: () => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (!holds()) return;
        waiting.delete(look);
        resolve(received);
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    write: (text) => void socket.write(text),
    until: (pattern) => when(() => pattern.test(received) || ended),
    closed: () => when(() => ended),
  };
}

/** Sends one text on a new connection and resolves to all that came back until the server ended it. */
export async function exchange(url: string, text: string | Uint8Array): Promise<string> {
  const connection = await rawConnection(url);
  connection.write(text);
  return connection.closed();
}
