import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy on loopback, and the targets that clients have asked it for: `host:port`. */
export interface TestProxy {
  url: string;
  targets: readonly string[];
}

/** A proxy that tunnels by CONNECT (RFC 9110, section 9.3.6). @param credentials `name:password` that it asks for */
export async function connectProxy(credentials?: string): Promise<TestProxy> {
  const targets: string[] = [];
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket) => {
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (expected && request.headers['proxy-authorization'] !== expected)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    targets.push(String(request.url));
    const onward = tunnel(String(request.url), socket);
    onward.once('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    return undefined;
  });
  return { url: `http://${credentials ? `${credentials}@` : ''}${await listening(server)}`, targets };
}

/** A SOCKS 5 proxy without authentication (RFC 1928). */
export async function socksProxy(): Promise<TestProxy> {
  const targets: string[] = [];
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    await once(socket, 'data'); // the methods that the client knows
    socket.write(Buffer.from([5, 0]));
    const [request] = (await once(socket, 'data')) as [Buffer]; // the event of a socket
    const host = request[3] === 3 ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : request.subarray(4, 8).join('.');
    const target = `${host}:${request.readUInt16BE(request.length - 2)}`;
    targets.push(target);
    const onward = tunnel(target, socket);
    onward.once('connect', () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
  });
  return { url: `socks5://${await listening(server)}`, targets };
}

/** Whatever name is requested, the tunnel ends on this machine. */
function tunnel(target: string, socket: Socket): Socket {
  const onward = connect(Number(target.split(':').at(-1)), '127.0.0.1');
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
  socket.pipe(onward).pipe(socket);
  return onward;
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}
