/**
 * Time of `carbon estimate`, on the clock and of processors, on lists of 1,000 and 10,000 items, half of them workloads and half instances, in this process and warm.
 *
 *   node bench/carbon.ts [--rounds 5]
 */
import { parseArgs } from 'node:util';
import { type EstimateRequest, estimate } from '../packages/plugin-carbon/dist/estimate/index.js';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Math.max(1, Number(flags.rounds));

for (const count of [1_000, 10_000]) {
  const request = requestOf(count);
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
  times.sort((a, b) => a - b);
  cpu.sort((a, b) => a - b);
  const text = `median ${times[Math.floor(rounds / 2)]?.toFixed(0)} ms, slowest ${times.at(-1)?.toFixed(0)} ms, of processors ${cpu[Math.floor(rounds / 2)]?.toFixed(0)} ms`;
  console.log(`${count.toLocaleString('en')} items: ${text} of ${rounds} rounds`);
}

function requestOf(count: number): EstimateRequest {
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
