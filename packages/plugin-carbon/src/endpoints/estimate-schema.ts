import { PROVIDERS } from '@bylaw/core/workload';

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const share = (description: string) => ({ description, type: ['number', 'null'], minimum: 0, maximum: 1 }) as const;

const PLACE = {
  provider: { description: 'Provider that the workloads run on. Required for manifests, which do not specify it.', enum: PROVIDERS },
  region: {
    description: 'Region of the provider; for `on-prem`, the country (ISO 3166) or the Electricity Maps zone.',
    ...name,
  },
} as const;

const INPUTS = {
  manifests: {
    description: 'Kubernetes objects: YAML or JSON text, or a list of objects.',
    oneOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 1, maxItems: 100_000, items: { type: 'object' } },
    ],
  },
  terraform: { description: 'Output of `terraform show -json` for a plan or a state.', type: 'object' },
  focus_rows: {
    description: 'Rows of a FOCUS table (1.0 to 1.4), of the AWS Cost and Usage Report, or of a Google Cloud or Azure export.',
    type: 'array',
    minItems: 1,
    maxItems: 500_000,
    items: { type: 'object' },
  },
  focus_csv: { description: 'The same rows as CSV text with a header.', type: 'string', minLength: 1 },
  usage: {
    description: 'Instances that run in the period.',
    type: 'array',
    minItems: 1,
    maxItems: 100_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'instance_type', 'hours'],
      properties: {
        id: { description: 'Identifier of the item in the answer.', ...name },
        ...PLACE,
        instance_type: { description: 'Instance type as the provider writes it: `m5.xlarge`.', ...name },
        hours: { description: 'Hours that each instance runs.', type: 'number', minimum: 0, maximum: 1_000_000 },
        cpu_utilization: { description: 'Average CPU utilization.', type: 'number', minimum: 0, maximum: 1 },
        count: { description: 'Number of instances.', type: 'number', minimum: 0, maximum: 10_000_000, default: 1 },
      },
    },
  },
  nodes: {
    description: 'Machines that the pods run on. The estimate then allocates their idle capacity to the pods.',
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['instance_type', 'count'],
      properties: {
        instance_type: { description: 'Instance type of the nodes.', ...name },
        count: { description: 'Number of nodes.', type: 'integer', minimum: 1, maximum: 100_000 },
        match: {
          description: 'Labels of the nodes: pods whose nodeSelector has these labels run here. Default: all other pods.',
          type: 'object',
          maxProperties: 20,
          additionalProperties: { type: 'string', maxLength: 300 },
        },
      },
    },
  },
} as const;

const SOME_INPUT = [
  { required: ['manifests'] },
  { required: ['terraform'] },
  { required: ['focus_rows'] },
  { required: ['focus_csv'] },
  { required: ['usage'] },
] as const;

/** JSON Schemas of the members, for the bodies of requests and the arguments of tools. */
export const ESTIMATE_MEMBERS = {
  ...INPUTS,
  ...PLACE,
  period_hours: { description: 'Length of the period, in hours.', type: 'number', exclusiveMinimum: 0, maximum: 87_600, default: 730 },
  assumptions: {
    description: 'Values that replace the defaults. They are taken as exact, except that a utilization has a range of ±10 %.',
    type: 'object',
    additionalProperties: false,
    properties: {
      cpu_utilization: share('CPU utilization of instances, and the share of their requests that pods use. Default: 0.5.'),
      gpu_utilization: share('GPU utilization. Default: 0.5.'),
      packing: { ...share('Share of the node capacity that pods reserve. Default: 0.65.'), minimum: 0.05 },
      lifespan_years: {
        description: 'Service life of a server, in years. Default: 4.',
        type: ['number', 'null'],
        minimum: 0.1,
        maximum: 30,
      },
      pue: { description: 'Power usage effectiveness of the data centre.', type: ['number', 'null'], minimum: 1, maximum: 5 },
      grid_g_per_kwh: { description: 'Grid intensity, in g CO2e per kWh.', type: ['number', 'null'], minimum: 0, maximum: 5000 },
      market_g_per_kwh: {
        description: 'Intensity of the purchased electricity, in g CO2e per kWh.',
        type: ['number', 'null'],
        minimum: 0,
        maximum: 5000,
      },
      storage_replication: {
        description: 'Number of copies that the provider keeps of stored data. Default: 3.',
        type: ['number', 'null'],
        minimum: 1,
        maximum: 20,
      },
      job_minutes: {
        description: 'Run time of a Job pod, in minutes. Default: 10.',
        type: ['number', 'null'],
        exclusiveMinimum: 0,
        maximum: 525_600,
      },
    },
  },
  method: {
    type: 'object',
    additionalProperties: false,
    properties: {
      grid: {
        description: 'Annual average grid intensity, or marginal intensity, which requires `grid_g_per_kwh`.',
        enum: ['average', 'marginal'],
        default: 'average',
      },
      embodied: { description: 'Include the embodied emissions of the servers.', type: 'boolean', default: true },
      upstream_energy: {
        description: 'Must be false: the grid intensities are life-cycle values and already include upstream emissions.',
        type: 'boolean',
        default: false,
      },
      power_model: {
        description:
          '`best` uses measured power curves if available, otherwise calibrated figures; `ccf` uses the raw figures of Cloud Carbon Footprint, for comparison.',
        enum: ['best', 'ccf'],
        default: 'best',
      },
    },
  },
  functional_unit: {
    description: 'Functional unit of the SCI (ISO/IEC 21031).',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'count'],
    properties: {
      name: { description: 'Name of the unit, such as `requests`.', ...name },
      count: { description: 'Number of units in the period.', type: 'number', minimum: 1e-9 },
    },
  },
  compare: {
    description: 'Proposed change to compare with.',
    type: 'object',
    additionalProperties: false,
    required: ['proposed'],
    properties: {
      proposed: { type: 'object', additionalProperties: false, anyOf: SOME_INPUT, properties: { ...INPUTS, ...PLACE } },
    },
  },
  spend_based: {
    description:
      'Estimate bill rows without a physical model from their cost, using the energy per cost of the other rows in their account, with a range from a quarter to four times.',
    type: 'boolean',
    default: false,
  },
  levels: { description: 'Level of the ranges, in percent.', enum: [90], default: 90 },
  strict: { description: 'Reject unknown regions and instance types.', type: 'boolean', default: false },
} as const;

/** The body of `POST /api/v1/carbon/estimate`. */
export const ESTIMATE_BODY_SCHEMA = {
  title: 'CarbonEstimateRequest',
  type: 'object',
  additionalProperties: false,
  anyOf: SOME_INPUT,
  properties: ESTIMATE_MEMBERS,
} as const;
