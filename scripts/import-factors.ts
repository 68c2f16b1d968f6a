/**
 * Writes `packages/plugin-carbon/data/machines.json` from the lists of Cloud Carbon Footprint: what passes the gate of the package, each with its
 * source, and the names of what does not.
 *
 *   node scripts/import-factors.ts [folder with ccf-coefficients]    default ../shared/data
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { type Candidate, converted, gate, type Rejection, type ReviewedException } from '../packages/plugin-carbon/dist/factors/gate.js';
import { architectureOf } from '../packages/plugin-carbon/dist/factors/processor.js';

type Row = { readonly [column: string]: string };
type Provider = 'aws' | 'azure' | 'gcp';

interface Machine {
  vcpu: number;
  memoryGib: number;
  architecture: string | null;
  hostVcpu: number | null;
  hostMemoryGib: number | null;
  embodiedKg: number | null;
  source: string;
  gpus: number;
  gpuModel: string | null;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const from = join(process.argv[2] ?? join(root, '../shared/data'), 'ccf-coefficients');
const target = join(root, 'packages/plugin-carbon/data');

const SOURCES = {
  'ccf-2024': {
    title: 'Cloud Carbon Footprint coefficients, commit b0032d9, from SPECpower_ssj2008',
    url: 'https://github.com/cloud-carbon-footprint/ccf-coefficients',
    year: 2024,
    licence: 'Apache-2.0',
  },
  'ccf-2026': {
    title: 'Cloud Carbon Footprint coefficients, 2026 update, commit b0032d9',
    url: 'https://github.com/cloud-carbon-footprint/ccf-coefficients',
    year: 2026,
    licence: 'Apache-2.0',
  },
  'teads-2023': {
    title: 'Teads EC2 carbon dataset, via Cloud Carbon Footprint coefficients b0032d9',
    url: 'https://medium.com/teads-engineering/building-an-aws-ec2-carbon-emissions-dataset-3f0fd76c98ac',
    year: 2023,
    licence: 'Apache-2.0',
  },
} as const;

const exceptions = JSON.parse(readFileSync(join(target, 'exceptions.json'), 'utf8')) as ReviewedException[]; // our own file
const rejected: Rejection[] = [];

const architectures = Object.fromEntries((['aws', 'azure', 'gcp'] as const).map((provider) => [provider, architecturesOf(provider)]));
const curves = teadsCurves();
const machines = { aws: awsMachines(), azure: azureMachines(), gcp: gcpMachines() };
writeFileSync(join(target, 'machines.json'), machinesText());
writeFileSync(join(target, 'rejected.json'), `[\n${rejected.map((rejection) => `  ${JSON.stringify(rejection)}`).join(',\n')}\n]\n`);
report();

function rows(file: string): Row[] {
  return parse(readFileSync(join(from, file), 'utf8'), { columns: true, bom: true, trim: true }) as Row[]; // texts under the names of the header
}

/** Some lists write the decimals after a comma. */
function number(text: string | undefined): number | null {
  const value = text === undefined || text === '' || text === 'N/A' ? Number.NaN : Number(text.replace(',', '.'));
  return Number.isFinite(value) ? value : null;
}

function passing(candidates: readonly Candidate[]): Map<string, Candidate> {
  const result = gate(candidates, exceptions);
  rejected.push(...result.rejected);
  return new Map(result.passed.map((candidate) => [candidate.subject, candidate]));
}

/** Watts per vCPU, idle and at full load. Makers are families: a Xeon of 2012 is not a measure for an EPYC of 2024. */
function architecturesOf(provider: Provider): { [name: string]: [number, number] } {
  const list = rows(`coefficients-${provider}-use.csv`);
  const candidates = list.map((row): Candidate => {
    const name = row['Architecture'] ?? '';
    return {
      subject: `${provider}/architecture/${name}`,
      source: 'ccf-2026',
      year: 2026,
      unit: 'W/vCPU',
      wanted: 'W/vCPU',
      values: [number(row['Min Watts']), number(row['Max Watts'])],
      family: `${provider}/${/^(EPYC|Graviton)/.test(name) ? 'EPYC and its proxies' : 'Xeon'}`,
      distinct: true,
    };
  });
  const passed = passing(candidates);
  return Object.fromEntries(
    [...passed.values()].map(({ subject, values: [min, max] }) => [
      subject.split('/').at(-1) ?? '',
      [min ?? 0, max ?? 0] as [number, number],
    ]),
  );
}

/** Watts of the whole instance, of its memory and of its GPUs, at 0, 10, 50 and 100 %. */
function teadsCurves(): { [type: string]: number[] } {
  const columns = (row: Row, part: string) => ['Idle', '10%', '50%', '100%'].map((load) => number(row[`${part} @ ${load}`]));
  const list = rows('aws-instances.csv');
  const passed = passing(
    list.map((row) => ({
      // GPUs are another family: what is left without them is compared.
      subject: `aws/power/${row['Instance type']}`,
      source: 'teads-2023',
      year: 2023,
      unit: 'W',
      wanted: 'W',
      values: columns(row, 'Instance').map((value, load) => (value === null ? null : value - (columns(row, 'GPUWatt')[load] ?? 0))),
      // Of one processor, watts per vCPU and what its memory adds.
      family: `aws/power/${row['Platform CPU Name']}`,
      scale: (number(row['Instance vCPU']) ?? 1) * 2 + (number(row['Instance Memory (in GB)']) ?? 0) / 2,
    })),
  );
  return Object.fromEntries(
    list.flatMap((row) => {
      const type = row['Instance type'] ?? '';
      const values = [...columns(row, 'Instance'), ...columns(row, 'RAMWatt'), ...columns(row, 'GPUWatt')];
      return passed.has(`aws/power/${type}`) ? [[type, values.map((value) => value ?? 0)]] : [];
    }),
  );
}

/** Embodied emissions of whole hosts. They grow with memory, so that is taken out before hosts are compared. */
function embodied(
  subject: string,
  source: string,
  year: number,
  unit: string,
  kg: number | null,
  hostGib: number | null,
  family: string,
): Candidate {
  return {
    subject,
    source,
    year,
    unit,
    wanted: 'kg',
    values: [kg],
    family,
    reviewed: source === 'ccf-2024',
    scale: (1000 + 1.388 * (hostGib ?? 384)) / (unit === 't' ? 1000 : 1),
  };
}

function awsMachines(): { [type: string]: Machine } {
  const old = rows('aws-instances.csv');
  const recent = rows('aws-instances-latest-2026.csv');
  const hosts = largest(recent, 'Instance Type', 'vCPUs', 'Memory (GiB)', awsFamily);
  const hostGib = new Map(old.map((row) => [row['Instance type'], number(row['Platform Memory (in GB)'])]));
  const passed = passing([
    ...rows('coefficients-aws-embodied.csv').map((row) =>
      embodied(`aws/embodied/${row['type']}`, 'ccf-2024', 2024, 'kg', number(row['total']), hostGib.get(row['type']) ?? null, 'aws/host'),
    ),
    ...recent.map((row) => {
      const type = row['Instance Type'] ?? '';
      const tonnes = number(row['Platform Embedded Emissions (mtCo2eq)']);
      return embodied(
        `aws/embodied-2026/${type}`,
        'ccf-2026',
        2026,
        't',
        tonnes,
        hosts.get(awsFamily(type))?.memoryGib ?? null,
        'aws/host-2026',
      );
    }),
  ]);
  // All sizes of a family run on one host; the list gives its figure at some of them only.
  const ofFamily = new Map(recent.flatMap((row) => familyFigure(row, passed)));
  const result: { [type: string]: Machine } = {};
  for (const row of recent) {
    const type = row['Instance Type'] ?? '';
    const whole = hosts.get(awsFamily(type));
    // No rack server has so few: where all sizes of a family are that small, the list does not show its host.
    const host = type.endsWith('.metal') || (whole?.vcpu ?? 0) >= 32 ? whole : undefined;
    const candidate = passed.get(`aws/embodied-2026/${type}`) ?? ofFamily.get(awsFamily(type));
    add(result, type, {
      vcpu: number(row['vCPUs']),
      memoryGib: number(row['Memory (GiB)']),
      architecture: architectureOf('aws', row['Platform CPU Name'] ?? ''),
      hostVcpu: host?.vcpu ?? null,
      hostMemoryGib: host?.memoryGib ?? null,
      embodiedKg: candidate === undefined ? null : (converted(candidate)?.[0] ?? null),
      source: 'ccf-2026',
      gpus: 0,
      gpuModel: null,
    });
  }
  for (const row of old) {
    const type = row['Instance type'] ?? '';
    add(result, type, {
      vcpu: number(row['Instance vCPU']),
      memoryGib: number(row['Instance Memory (in GB)']),
      architecture: architectureOf('aws', row['Platform CPU Name'] ?? ''),
      hostVcpu: number(row['Platform Total Number of vCPU']),
      hostMemoryGib: number(row['Platform Memory (in GB)']),
      embodiedKg: passed.get(`aws/embodied/${type}`)?.values[0] ?? null,
      source: 'ccf-2024',
      gpus: number(row['Instance Number of GPU']) ?? 0,
      gpuModel: gpuName(row['Platform GPU Name']),
    });
  }
  return result;
}

function familyFigure(row: Row, passed: ReadonlyMap<string, Candidate>): [string, Candidate][] {
  const type = row['Instance Type'] ?? '';
  const candidate = passed.get(`aws/embodied-2026/${type}`);
  return candidate === undefined ? [] : [[awsFamily(type), candidate]];
}

function azureMachines(): { [type: string]: Machine } {
  const list = rows('azure-instances.csv');
  const hostGib = new Map(list.map((row) => [row['Virtual Machine'], number(row['Platform Memory'])]));
  const passed = passing(
    rows('coefficients-azure-embodied.csv').map((row) =>
      embodied(
        `azure/embodied/${row['type']}`,
        'ccf-2024',
        2024,
        'kg',
        number(row['total']),
        hostGib.get(row['type']) ?? null,
        'azure/host',
      ),
    ),
  );
  const result: { [type: string]: Machine } = {};
  for (const row of list) {
    const name = row['Virtual Machine'] ?? '';
    // A type may run on one of several processors; then it has a row for each.
    const type = name.replaceAll(' ', '_').toLowerCase();
    const others = result[type]?.architecture?.split('|') ?? [];
    const architecture = architectureOf('azure', row['Microarchitecture'] ?? '');
    add(result, type, {
      vcpu: number(row['Instance vCPUs']),
      memoryGib: number(row['Instance Memory']),
      architecture: architecture === null ? null : [...new Set([...others, architecture])].sort().join('|'),
      hostVcpu: number(row['Platform vCPUs (highest vCPU possible)']),
      hostMemoryGib: number(row['Platform Memory']),
      embodiedKg: passed.get(`azure/embodied/${name}`)?.values[0] ?? null,
      source: 'ccf-2024',
      gpus: number(row['Instance GPUs']) ?? 0,
      gpuModel: null,
    });
  }
  hostAll(result);
  for (const type of Object.keys(result)) constrain(result, type);
  return result;
}

/**
 * The list has hosts with fewer vCPUs than a size in them: 24 of the host of NCasT4_v3, which has 64. Sizes of a family with the
 * same memory and embodied emissions of the host share it.
 */
function hostAll(machines: { [type: string]: Machine }): void {
  const hostOf = (type: string, { hostMemoryGib, embodiedKg }: Machine) =>
    `${type.replace(/\d+(?:-\d+)?/, '#')} ${hostMemoryGib} ${embodiedKg}`;
  const largest = new Map<string, number>();
  for (const [type, machine] of Object.entries(machines))
    largest.set(hostOf(type, machine), Math.max(largest.get(hostOf(type, machine)) ?? 0, machine.hostVcpu === null ? 0 : machine.vcpu));
  for (const [type, machine] of Object.entries(machines))
    if (machine.hostVcpu !== null) machine.hostVcpu = Math.max(machine.hostVcpu, largest.get(hostOf(type, machine)) ?? 0);
}

/**
 * `e8-2as_v4` is an `e8as_v4` of whose 8 vCPUs 2 may be used: https://learn.microsoft.com/azure/virtual-machines/constrained-vcpu. The list has the
 * part of the vCPUs in the place of their number, and the machine for its host.
 */
function constrain(machines: { [type: string]: Machine }, type: string): void {
  const [, size, vcpu, rest] = /^([a-z]+\d+)-(\d+)([a-z_].*)?$/.exec(type) ?? [];
  const whole = machines[`${size}${rest ?? ''}`];
  if (whole !== undefined && vcpu !== undefined) machines[type] = { ...whole, vcpu: Number(vcpu) };
}

function gcpMachines(): { [type: string]: Machine } {
  const recent = rows('gcp-instances-latest-2026.csv');
  const hosts = largest(recent, 'Instance Type', 'Instance vCPU', 'Instance Memory', gcpFamily);
  const known = new Map(recent.map((row) => [row['Instance Type'], row]));
  const old = rows('coefficients-gcp-embodied-mean.csv');
  const passed = passing([
    ...old.map((row) => {
      const host = hosts.get(gcpFamily(row['type'] ?? ''));
      return embodied(
        `gcp/embodied/${row['type']}`,
        'ccf-2024',
        2024,
        'kg',
        number(row['total_mean']),
        host?.memoryGib ?? null,
        'gcp/host',
      );
    }),
    ...recent.map((row) => {
      const type = row['Instance Type'] ?? '';
      const host = hosts.get(gcpFamily(type));
      const kg = number(row['Platform Embedded Emissions (kgCo2eq)']);
      return embodied(`gcp/embodied-2026/${type}`, 'ccf-2026', 2026, 'kg', kg, host?.memoryGib ?? null, 'gcp/host');
    }),
  ]);
  const result: { [type: string]: Machine } = {};
  for (const [type, row] of known) {
    const host = hosts.get(gcpFamily(type ?? ''));
    const first = passed.get(`gcp/embodied/${type}`);
    add(result, type ?? '', {
      vcpu: number(row['Instance vCPU']),
      // The list has the 85 GiB of the a2-highgpu-1g; two to eight GPUs have 170 GiB each in it.
      memoryGib: type === 'a2-ultragpu-1g' ? 170 : number(row['Instance Memory']),
      architecture: architectureOf('gcp', row['Microarchitecture'] ?? ''),
      hostVcpu: host?.vcpu ?? null,
      hostMemoryGib: host?.memoryGib ?? null,
      embodiedKg: first?.values[0] ?? null,
      source: first === undefined ? 'ccf-2026' : 'ccf-2024',
      gpus: 0,
      gpuModel: null,
    });
  }
  return result;
}

function add(
  machines: { [type: string]: Machine },
  type: string,
  machine: Omit<Machine, 'vcpu' | 'memoryGib'> & { vcpu: number | null; memoryGib: number | null },
): void {
  const { vcpu, memoryGib, hostMemoryGib, source } = machine;
  if (type === '' || vcpu === null || vcpu <= 0 || memoryGib === null || memoryGib <= 0) return;
  // Two small types of AWS have lost the point of their decimals: 555 GiB for 0.555.
  if (memoryGib > (hostMemoryGib ?? memoryGib)) rejected.push({ subject: `aws/memory/${type}`, source, rule: 'larger-than-host' });
  else machines[type] = { ...machine, vcpu, memoryGib };
}

/** The largest machine of a family is the whole host. */
function largest(list: readonly Row[], type: string, vcpus: string, memory: string, familyOf: (type: string) => string) {
  const hosts = new Map<string, { vcpu: number; memoryGib: number }>();
  for (const row of list) {
    const family = familyOf(row[type] ?? '');
    const host = hosts.get(family) ?? { vcpu: 0, memoryGib: 0 };
    hosts.set(family, {
      vcpu: Math.max(host.vcpu, number(row[vcpus]) ?? 0),
      memoryGib: Math.max(host.memoryGib, number(row[memory]) ?? 0),
    });
  }
  return hosts;
}

function awsFamily(type: string): string {
  return type.split('.')[0] ?? type;
}

/** The hosts of the H200 in a3-ultragpu are larger than those of the H100. */
function gcpFamily(type: string): string {
  return type.startsWith('a3-ultragpu-') ? 'a3-ultragpu' : (type.split('-')[0] ?? type);
}

function gpuName(name: string | undefined): string | null {
  return name === undefined || name === '' || name === 'N/A' ? null : name.replace(/^(Tesla|Radeon Pro) /, '');
}

/** One machine per line: a table, so that a change of a list is a change of few lines. */
function machinesText(): string {
  const names = ['vcpu', 'memoryGib', 'architecture', 'hostVcpu', 'hostMemoryGib', 'embodiedKg', 'source', 'gpus', 'gpuModel'] as const;
  const table = (provider: { [type: string]: Machine }) =>
    Object.keys(provider)
      .sort()
      .map((type) => `   ${JSON.stringify(type)}: ${JSON.stringify(names.map((name) => provider[type]?.[name] ?? null))}`)
      .join(',\n');
  const curveTable = Object.keys(curves)
    .sort()
    .map((type) => `  ${JSON.stringify(type)}: ${JSON.stringify(curves[type])}`)
    .join(',\n');
  return `{
 "sources": ${JSON.stringify(SOURCES)},
 "architectures": ${JSON.stringify(architectures)},
 "columns": ${JSON.stringify(names)},
 "machines": {
${Object.entries(machines)
  .map(([provider, list]) => `  ${JSON.stringify(provider)}: {\n${table(list)}\n  }`)
  .join(',\n')}
 },
 "curveColumns": ["watts at 0, 10, 50 and 100 %", "of them memory", "of them GPUs"],
 "curves": {
${curveTable}
 }
}
`;
}

function report(): void {
  const counts = Object.entries(machines).map(([provider, list]) => `${provider} ${Object.keys(list).length}`);
  console.log(`machines: ${counts.join(', ')}; power curves: ${Object.keys(curves).length}; rejected: ${rejected.length}`);
  const kinds = Map.groupBy(rejected, ({ subject, source, rule }) => `${source} ${subject.split('/').slice(0, 2).join('/')}: ${rule}`);
  for (const [kind, list] of [...kinds].sort()) console.log(`  ${kind}: ${list.length}, such as ${list[0]?.subject}`);
}
