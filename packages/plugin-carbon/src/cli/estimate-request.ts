import { BylawError } from '@bylaw/core/errors';
import { requestCheck } from '@bylaw/core/http';
import { ESTIMATE_MEMBERS } from '../endpoints/estimate-schema.js';
import type { Assumptions, EstimateRequest, NodeGroup } from '../estimate/index.js';

export interface EstimateFlags {
  provider?: 'aws' | 'azure' | 'gcp' | 'on-prem' | undefined;
  region?: string | undefined;
  terraform?: string | undefined;
  focus?: string[] | undefined;
  usage?: string | undefined;
  nodes?: string[] | undefined;
  'period-hours': string;
  'functional-unit'?: string | undefined;
  'cpu-utilization'?: string | undefined;
  'gpu-utilization'?: string | undefined;
  packing?: string | undefined;
  pue?: string | undefined;
  grid?: string | undefined;
  'market-grid'?: string | undefined;
  'lifespan-years'?: string | undefined;
  'storage-replication'?: string | undefined;
  'job-minutes'?: string | undefined;
  marginal: boolean;
  'no-embodied': boolean;
  'power-model': 'best' | 'ccf';
  'spend-based'?: boolean;
  strict: boolean;
}

/** The request that the flags make, but for what files hold. @throws {BylawError} `usage` */
export function requestOf(flags: EstimateFlags): EstimateRequest {
  const nodes = flags.nodes?.map((text) => nodeGroup(text));
  const unit = flags['functional-unit'] === undefined ? undefined : functionalUnit(flags['functional-unit']);
  const request: EstimateRequest = {
    ...(flags.provider !== undefined && { provider: flags.provider }),
    ...(flags.region !== undefined && { region: flags.region }),
    ...(nodes && { nodes }),
    ...(unit && { functional_unit: unit }),
    period_hours: parseNumberFlag(flags['period-hours'], '--period-hours') ?? 730,
    assumptions: assumptionsOf(flags),
    method: { grid: flags.marginal ? 'marginal' : 'average', embodied: !flags['no-embodied'], power_model: flags['power-model'] },
    ...(flags['spend-based'] === true && { spend_based: true }),
    ...(flags.strict && { strict: true }),
  };
  const [breach] = requestCheck({ type: 'object', properties: ESTIMATE_MEMBERS })(request);
  if (breach) throw new BylawError('usage', `Invalid flag value: ${breach.path.slice(1).replaceAll('/', '.')} ${breach.message}.`);
  return request;
}

const ASSUMPTIONS = [
  ['cpu_utilization', 'cpu-utilization'],
  ['gpu_utilization', 'gpu-utilization'],
  ['packing', 'packing'],
  ['pue', 'pue'],
  ['grid_g_per_kwh', 'grid'],
  ['market_g_per_kwh', 'market-grid'],
  ['lifespan_years', 'lifespan-years'],
  ['storage_replication', 'storage-replication'],
  ['job_minutes', 'job-minutes'],
] as const satisfies readonly (readonly [keyof Assumptions, keyof EstimateFlags])[];

function assumptionsOf(flags: EstimateFlags): Assumptions {
  return Object.fromEntries(
    ASSUMPTIONS.flatMap(([name, flag]) => {
      const value = parseNumberFlag(flags[flag], `--${flag}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export function nodeGroup(text: string, flag = '--nodes'): NodeGroup {
  const [, type, count, labels] = /^([^=\s]+)=(\d{1,6})(?::(.+))?$/.exec(text) ?? [];
  if (type === undefined || count === undefined)
    throw new BylawError('usage', `${flag} must be TYPE=COUNT or TYPE=COUNT:label=value,label=value.`, {
      hint: 'For example m5.xlarge=3.',
    });
  const match = labels?.split(',').map((label) => {
    const at = label.indexOf('=');
    return [label.slice(0, at < 0 ? undefined : at), at < 0 ? '' : label.slice(at + 1)] as const;
  });
  return { instance_type: type, count: Number(count), ...(match && { match: Object.fromEntries(match) }) };
}

function functionalUnit(text: string): { name: string; count: number } {
  const at = text.lastIndexOf('=');
  const count = parseNumberFlag(text.slice(at + 1), '--functional-unit');
  if (at < 1 || count === undefined) throw new BylawError('usage', '--functional-unit must be NAME=COUNT, such as requests=8.1e8.');
  return { name: text.slice(0, at), count };
}

export function parseNumberFlag(text: string | boolean | string[] | undefined, flag: string): number | undefined {
  if (typeof text !== 'string') return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new BylawError('usage', `${flag} must be a number of 0 or more.`);
}
