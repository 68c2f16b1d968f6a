/**
 * Reading a bill: a FOCUS file of 26 columns, streamed from disk into daily series, beside splitting the same file into lines, and beside csv-parse.
 *
 *   npm run bench:focus
 *   npm run bench:focus -- --rows 500000 --rounds 3
 *
 * Each measurement runs in a process of its own. The file is made once and stays in the folder for temporary files.
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { costFiles, costFilesAt } from '@bylaw/core/cost';
import { parse } from 'csv-parse';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '1' },
    measure: { type: 'string' },
    file: { type: 'string', default: '' },
  },
});

const HEADER =
  'AvailabilityZone,BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountStatus,ConsumedQuantity,ConsumedUnit,ContractedCost,EffectiveCost,ListCost,PricingQuantity,PricingUnit,RegionId,ResourceId,ServiceName,ServiceProviderName,SubAccountId,Tags';

/** What is measured, by its name: takes the file, and returns how many rows it saw. */
const MEASURES: { readonly [name: string]: (file: string) => Promise<number> } = {
  lines: async (file) => {
    let lines = 0;
    let rest = '';
    for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
      const parts = (rest + piece).split('\n');
      rest = parts.pop() ?? '';
      lines += parts.length;
    }
    return lines - 1;
  },
  'csv-parse': async (file) => {
    let rows = 0;
    for await (const _ of createReadStream(file, { highWaterMark: 1 << 18 }).pipe(parse({ columns: false }))) rows += 1;
    return rows - 1;
  },
  bylaw: async (file) => {
    const [table] = await costFiles(await costFilesAt([file]), {});
    return table?.rows ?? 0;
  },
};

if (values.measure === undefined) await compare();
else await measure(values.measure, values.file);

async function compare(): Promise<void> {
  const file = join(tmpdir(), `bylaw-focus-${values.rows}.csv`);
  if (!existsSync(file)) await generate(file, Number(values.rows));
  console.log(`${Number(values.rows).toLocaleString('en')} rows, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  for (let round = 0; round < Number(values.rounds); round++) for (const name of Object.keys(MEASURES)) await inProcess(name, file);
}

function inProcess(name: string, file: string): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, '--measure', name, '--file', file], {
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} failed`)))));
}

async function measure(name: string, file: string): Promise<void> {
  const begin = performance.now();
  const rows = (await MEASURES[name]?.(file)) ?? 0;
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${name.padEnd(10)} ${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${Math.round(rows / cpu).toLocaleString('en')} rows per CPU second, ${cpu.toFixed(1)} s CPU, peak ${peak.toFixed(0)} MiB`,
  );
}

/** A bill of 30 days by the hour: 400 resources of five services in three accounts and regions. */
async function generate(file: string, rows: number): Promise<void> {
  const services = [
    'Amazon Elastic Compute Cloud',
    'Amazon Simple Storage Service',
    'AWS Lambda',
    'Amazon Relational Database Service',
    'AWS Data Transfer',
  ];
  const regions = ['eu-west-1', 'us-east-1', 'ap-southeast-2'];
  const out = createWriteStream(`${file}.part`);
  let text = `${HEADER}\n`;
  for (let row = 0; row < rows; row++) {
    const [resource, hour] = [row % 400, Math.floor(row / 400) % 720];
    const service = services[resource % 5] ?? '';
    const region = regions[resource % 3] ?? '';
    const start = new Date(Date.UTC(2026, 3, 1, hour)).toISOString().replace('.000', '');
    const end = new Date(Date.UTC(2026, 3, 1, hour + 1)).toISOString().replace('.000', '');
    const cost = (((row * 2_654_435_761) % 1_000_003) / 1e5).toFixed(10);
    const account = 111_111_111_111 * ((resource % 3) + 1);
    text += `${region}a,${cost},999999999999,USD,2026-05-01T00:00:00Z,2026-04-01T00:00:00Z,Usage,,"${service}, usage per hour",Usage-Based,${end},${start},,${resource},Hours,${cost},${cost},${cost},${resource},Hours,${region},arn:aws:ec2:${region}:${account}:instance/i-${String(resource).padStart(17, '0')},${service},AWS,${account},"{""team"":""t${resource % 7}"",""env"":""prod""}"\n`;
    if (text.length > 1 << 20) {
      if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
      text = '';
    }
  }
  await new Promise<void>((resolve) => out.end(text, () => resolve()));
  renameSync(`${file}.part`, file);
}
