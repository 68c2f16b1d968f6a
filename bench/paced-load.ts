/**
 * Sends requests at a fixed rate over keep-alive connections, and prints how long the answers took as JSON. A request counts from the moment
 * at which it was due, so that a server that falls behind does not hide it. A program of its own, that takes no time of the server's threads but
 * what the machine makes it take.
 *
 *   node bench/paced-load.ts '{"url":"https://127.0.0.1:8443/echo","bodies":["a.json"],"rate":200,"seconds":10,"connections":32}'
 */
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { basename } from 'node:path';

export interface PacedJob {
  url: string;
  /** Files, sent by turns; one may stand more than once. */
  bodies: string[];
  /** Requests per second. */
  rate: number;
  seconds: number;
  /** Most requests at a time; one that is due when as many are on their way is left out. */
  connections: number;
  headers?: { [name: string]: string };
}

export interface PacedReport {
  /** By file, milliseconds. */
  bodies: { [name: string]: { kB: number; p50: number; p99: number; max: number } };
  statuses: { [status: string]: number };
  leftOut: number;
  /** Bytes of the bodies that were answered, per second, in millions. */
  megabytesPerSecond: number;
}

const job = JSON.parse(process.argv[2] ?? '') as PacedJob;
const secure = job.url.startsWith('https:');
const agent = secure
  ? new HttpsAgent({ keepAlive: true, maxSockets: job.connections, rejectUnauthorized: false })
  : new HttpAgent({ keepAlive: true, maxSockets: job.connections });
const known = new Map(
  [...new Set(job.bodies)].map((file) => [file, { name: basename(file, '.json'), body: readFileSync(file), times: [] as number[] }]),
);
const bodies = job.bodies.flatMap((file) => known.get(file) ?? []);
const statuses: { [status: string]: number } = {};
let [onTheWay, leftOut, bytes] = [0, 0, 0];

const start = performance.now();
const total = job.rate * job.seconds;
const answers: Promise<void>[] = [];
for (let sent = 0; sent < total; ) {
  const due = start + (sent / job.rate) * 1000;
  const wait = due - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait)));
  else {
    const next = bodies[sent % bodies.length];
    sent++;
    if (!next) throw new Error('there are no bodies');
    if (onTheWay >= job.connections) leftOut++;
    else answers.push(send(next, due));
  }
}
await Promise.all(answers);
const seconds = (performance.now() - start) / 1000;
agent.destroy();
const report: PacedReport = {
  bodies: Object.fromEntries(
    [...known.values()].map(({ name, body, times }) => [name, { kB: Math.round(body.length / 1000), ...summary(times) }]),
  ),
  statuses,
  leftOut,
  megabytesPerSecond: Math.round((bytes / seconds / 1e6) * 10) / 10,
};
console.log(JSON.stringify(report));

function send({ body, times }: (typeof bodies)[number], due: number): Promise<void> {
  onTheWay++;
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...job.headers };
  return new Promise((resolve) => {
    const done = (status: string) => {
      onTheWay--;
      statuses[status] = (statuses[status] ?? 0) + 1;
      resolve();
    };
    const sent = (secure ? httpsRequest : httpRequest)(job.url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        times.push(performance.now() - due);
        bytes += body.length;
        done(String(answer.statusCode));
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'));
    sent.end(body);
  });
}

function summary(times: number[]): { p50: number; p99: number; max: number } {
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
