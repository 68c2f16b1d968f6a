/**
 * How long `POST /api/v1/finops/anomalies` takes for 100 series of 400 days, some of them with anomalies: the real server, as a process of its own,
 * one request after another.
 *
 *   npm run bench:finops-rest -- [--requests 30] [--series 100] [--days 400]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '30' },
    series: { type: 'string', default: '100' },
    days: { type: 'string', default: '400' },
  },
});
const [requests, count, days] = [Number(flags.requests), Number(flags.series), Number(flags.days)];

const folder = mkdtempSync(join(tmpdir(), 'bylaw-bench-'));
const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'bin', 'run.js'), 'serve', '--json', '--port', '0'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line)) as { url: string }; // what the server prints
  for (const [name, dimensions] of [
    ['plain series', false],
    ['series with service, account and region', true],
  ] as const)
    await measure(name, url, body(dimensions));
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, url: string, text: string): Promise<void> {
  const times: number[] = [];
  const before = processorTime();
  let anomalies = 0;
  for (let at = 0; at < requests; at++) {
    const started = performance.now();
    const response = await fetch(`${url}/api/v1/finops/anomalies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    const answer = (await response.json()) as { anomalies: object[] }; // checked next
    if (response.status !== 200) throw new Error(`the server answered ${response.status}`);
    times.push(performance.now() - started);
    anomalies = answer.anomalies.length;
  }
  const own = (processorTime() - before) / requests;
  times.sort((a, b) => a - b);
  const at = (part: number) => `${Math.round(times[Math.ceil(part * times.length) - 1] ?? 0)} ms`;
  console.log(
    `${name}: ${count} of ${days} days, ${(text.length / 1e6).toFixed(1)} MB, ${anomalies} anomalies; p50 ${at(0.5)}, p95 ${at(0.95)}, processor time ${Math.round(own * 1000)} ms a request`,
  );
}

/** Seconds that the server has computed; fields 14 and 15 of proc_pid_stat(5), in hundredths on Linux. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Weekends cost less; every tenth series has a spike, every seventh a new level. */
function body(withDimensions: boolean): string {
  const series = Array.from({ length: count }, (_, index) => ({
    id: `series-${index}`,
    granularity: 'day',
    start: '2025-01-01',
    values: Array.from({ length: days }, (_, day) => {
      const noise = ((day * 7919 + index * 104729) % 1009) / 1009 - 0.5;
      const weekend = [3, 4].includes(day % 7) ? 0.7 : 1;
      const event = (index % 10 === 0 && day === 200 + index ? 4 : 1) * (index % 7 === 0 && day > 150 + index ? 1.6 : 1);
      return Number(((20 + index) * weekend * event * (1 + 0.1 * noise)).toFixed(4));
    }),
    ...(withDimensions && { dimensions: { service: `s${index % 12}`, account: `a${index % 5}`, region: `r${index % 3}` } }),
  }));
  return JSON.stringify({ series, currency: 'USD' });
}
