import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CloudProvider } from '@bylaw/core/workload';

/** A type as the lists have it. Null is what they do not say, or what did not pass the gate. */
export interface MachineRow {
  vcpu: number;
  memoryGib: number;
  /** Several where the type runs on one of them, separated by `|`. */
  architecture: string | null;
  hostVcpu: number | null;
  hostMemoryGib: number | null;
  embodiedKg: number | null;
  source: SourceId;
  gpus: number;
  gpuModel: string | null;
}

type SourceId = 'ccf-2024' | 'ccf-2026' | 'teads-2023';

export interface MachineData {
  sources: { readonly [id in SourceId]: { title: string; url: string; year: number; licence: string } };
  /** Watts per vCPU: idle, full load. */
  architectures: { readonly [provider in CloudProvider]: { readonly [name: string]: readonly [number, number] } };
  machines: ReadonlyMap<string, MachineRow>;
  /** Watts of the whole, of its memory and of its GPUs, each at 0, 10, 50 and 100 %. */
  curves: ReadonlyMap<string, readonly number[]>;
  sha256: string;
}

/** Whom the figures of machines are owed to. */
export const MACHINE_ATTRIBUTION =
  'Cloud Carbon Footprint (https://www.cloudcarbonfootprint.org) and Teads, with values from SPECpower_ssj2008.';

/** `data/machines.json`, read once. Machines by `provider/type`, curves by the type of AWS. */
export function machineData(): MachineData {
  data ??= readData();
  return data;
}

let data: MachineData | undefined;

function readData(): MachineData {
  const bytes = readFileSync(new URL('../../data/machines.json', import.meta.url));
  // Our own file, written by scripts/import-factors.ts.
  const { sources, architectures, machines, curves } = JSON.parse(bytes.toString('utf8')) as Pick<
    MachineData,
    'sources' | 'architectures'
  > & {
    machines: { [provider: string]: { [type: string]: Columns } };
    curves: { [type: string]: number[] };
  };
  const rows = Object.entries(machines).flatMap(([provider, list]) =>
    Object.entries(list).map(([type, columns]) => [`${provider}/${type}`, toRow(columns)] as const),
  );
  return {
    sources,
    architectures,
    machines: new Map(rows),
    curves: new Map(Object.entries(curves)),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

type Columns = [number, number, string | null, number | null, number | null, number | null, SourceId, number, string | null];

function toRow([vcpu, memoryGib, architecture, hostVcpu, hostMemoryGib, embodiedKg, source, gpus, gpuModel]: Columns): MachineRow {
  return { vcpu, memoryGib, architecture, hostVcpu, hostMemoryGib, embodiedKg, source, gpus, gpuModel };
}
