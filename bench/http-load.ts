/**
 * Sends requests over keep-alive connections, one at a time on each, and prints what came back as JSON. A program of its own, so
 * that it takes no time of the server's threads but what the machine makes it take.
 *
 *   node bench/http-load.ts '{"url":"http://127.0.0.1:8000","connections":64,"requests":20000,"adapter":"bench","secret":"…","prefix":"a"}'
 */
import { connect } from 'node:net';
import { signRequest } from '../packages/plugin-gate/dist/auth/index.js';
import { benchProposal } from './gate-proposal.ts';

export interface LoadJob {
  url: string;
  connections: number;
  /** In all. They are made and signed before the first is sent. */
  requests: number;
  adapter: string;
  secret: string;
  /** Of the proposal ids. */
  prefix: string;
}

export interface LoadReport {
  /** Answers per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers by status. */
  statuses: { [status: string]: number };
}

const job = JSON.parse(process.argv[2] ?? '') as LoadJob;
const { hostname, port } = new URL(job.url);
const requests = Array.from({ length: job.requests }, (_, index) => requestText(`${job.prefix}-${index}`));
const times: number[] = [];
const statuses: { [status: string]: number } = {};
let next = 0;

const start = performance.now();
await Promise.all(Array.from({ length: job.connections }, converse));
const seconds = (performance.now() - start) / 1000;
times.sort((a, b) => a - b);
const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
const report: LoadReport = { rate: Math.round(times.length / seconds), p50: at(0.5), p99: at(0.99), statuses };
console.log(JSON.stringify(report));

function requestText(id: string): Buffer {
  const body = benchProposal(id);
  const signed = signRequest({ method: 'POST', target: '/v1/proposals', adapterId: job.adapter, secret: job.secret, at: new Date(), body });
  const headers = { Host: hostname, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...signed };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /v1/proposals HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** One connection: the next request goes out when the answer to the last is whole. */
function converse(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let received = '';
    let sent = 0;
    const send = () => {
      const request = requests[next++];
      if (!request) return socket.end();
      sent = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      received = received === '' ? chunk.toString('latin1') : received + chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1]);
      if (received.length < head + 4 + length) return;
      times.push(performance.now() - sent);
      const status = received.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      received = '';
      send();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}
