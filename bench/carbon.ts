/**
 * Time of `carbon estimate`, on the clock and of processors, in this process and warm: 1,000 and 10,000 items of five types, half of them workloads and
 * half instances, and 1,000 instances of all types that were measured, each with a load of its own.
 *
 *   npm run bench:carbon [-- --rounds 5]
 */
import { parseArgs } from 'node:util';
import { type EstimateRequest, estimate } from '../packages/plugin-carbon/dist/estimate/index.js';
import { machineData } from '../packages/plugin-carbon/dist/factors/index.js';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Math.max(1, Number(flags.rounds));

for (const [name, request] of [
  ['1,000 items', mixed(1_000)],
  ['10,000 items', mixed(10_000)],
  ['1,000 instances of all types, each with a load of its own', allTypes(1_000)],
] as const) {
  await estimate(request);
  const times: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    await estimate(request);
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1000);
  }
  console.log(`${name}: ${spreadOf(times)}; of processors ${spreadOf(cpu)}; ${rounds} rounds`);
}

function spreadOf(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return `fastest ${sorted[0]?.toFixed(0)}, median ${sorted[Math.floor(rounds / 2)]?.toFixed(0)}, slowest ${sorted.at(-1)?.toFixed(0)} ms`;
}

function mixed(count: number): EstimateRequest {
  const types = ['m5.xlarge', 'c6i.2xlarge', 'r7g.large', 'm7a.4xlarge', 't3.medium'];
  const regions = ['us-east-1', 'eu-west-1', 'eu-north-1'];
  const half = count / 2;
  const usage = Array.from({ length: half }, (_, index) => ({
    id: `i-${index}`,
    instance_type: types[index % types.length] ?? 'm5.xlarge',
    region: regions[index % regions.length] ?? 'us-east-1',
    hours: 100 + (index % 600),
  }));
  const manifests = Array.from({ length: half }, (_, index) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `w-${index}`, namespace: `n-${index % 20}` },
    spec: {
      replicas: 1 + (index % 9),
      template: {
        spec: {
          containers: [
            {
              name: 'app',
              image: 'i',
              resources: { requests: { cpu: `${100 + (index % 40) * 50}m`, memory: `${128 + (index % 64) * 64}Mi` } },
            },
          ],
        },
      },
    },
  }));
  return { provider: 'aws', region: 'eu-west-1', usage, manifests };
}

function allTypes(count: number): EstimateRequest {
  const types = [...machineData().curves.keys()].sort();
  const usage = Array.from({ length: count }, (_, index) => ({
    id: `i-${index}`,
    instance_type: types[index % types.length] ?? 'm5.xlarge',
    hours: 100 + (index % 600),
    cpu_utilization: (1 + (index % 997)) / 1000,
  }));
  return { provider: 'aws', region: 'eu-west-1', usage };
}
