/**
 * The least that a server of node:http, or of node:https where it is given a certificate and its key, can do with a body: read it whole, and
 * send it back. Prints its address.
 *
 *   node bench/echo-server.ts [tls.crt tls.key]
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
};
const [cert, key] = process.argv.slice(2);
const server = cert && key ? createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, echo) : createServer(echo);
const protocol = cert && key ? 'https' : 'http';
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
