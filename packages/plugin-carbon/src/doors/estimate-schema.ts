import { PROVIDERS } from '@bylaw/core/workload';

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const share = (description: string) => ({ description, type: ['number', 'null'], minimum: 0, maximum: 1 }) as const;

const PLACE = {
  provider: { description: 'Where it runs. Manifests and lists of usage do not say it themselves.', enum: PROVIDERS },
  region: {
    description: 'Region of the provider; of an own data centre the country (ISO 3166) or the zone of Electricity Maps.',
    ...name,
  },
} as const;

const INPUTS = {
  manifests: {
    description: 'Kubernetes objects: a text of YAML or JSON, or a list of objects.',
    oneOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 1, maxItems: 100_000, items: { type: 'object' } },
    ],
  },
  terraform: { description: 'Output of `terraform show -json`, of a plan or of a state.', type: 'object' },
  focus_rows: {
    description: 'Rows of a FOCUS table (1.0 to 1.4), of the Cost and Usage Report of AWS, or of an export of Google Cloud or Azure.',
    type: 'array',
    minItems: 1,
    maxItems: 500_000,
    items: { type: 'object' },
  },
  focus_csv: { description: 'The same as CSV text with a header.', type: 'string', minLength: 1 },
  usage: {
    description: 'Instances that run or ran in the period.',
    type: 'array',
    minItems: 1,
    maxItems: 100_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'instance_type', 'hours'],
      properties: {
        id: { description: 'Name in the answer.', ...name },
        ...PLACE,
        instance_type: { description: 'As the provider writes it: `m5.xlarge`.', ...name },
        hours: { description: 'Hours of each instance.', type: 'number', minimum: 0, maximum: 1_000_000 },
        cpu_utilization: { description: 'Mean load of the processors.', type: 'number', minimum: 0, maximum: 1 },
        count: { description: 'Instances.', type: 'number', minimum: 0, maximum: 10_000_000, default: 1 },
      },
    },
  },
  nodes: {
    description: 'Machines that the pods run on. What idles there is then counted to the pods.',
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['instance_type', 'count'],
      properties: {
        instance_type: { description: 'Type of these nodes.', ...name },
        count: { description: 'How many there are.', type: 'integer', minimum: 1, maximum: 100_000 },
        match: {
          description: 'Pods whose nodeSelector has these labels run here; absent: all others.',
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
  period_hours: { description: 'Length of the period.', type: 'number', exclusiveMinimum: 0, maximum: 87_600, default: 730 },
  assumptions: {
    description: 'What is known better than the defaults. It holds as told; a utilisation within 10 %.',
    type: 'object',
    additionalProperties: false,
    properties: {
      cpu_utilization: share('Load of instances, and the part of their requests that pods use. Default 0.5.'),
      gpu_utilization: share('Load of GPUs. Default 0.5.'),
      packing: { ...share('Part of the nodes that pods reserve. Default 0.65.'), minimum: 0.05 },
      lifespan_years: { description: 'Years that a server is in use. Default 4.', type: ['number', 'null'], minimum: 0.1, maximum: 30 },
      pue: { description: 'Power usage effectiveness of the data centre.', type: ['number', 'null'], minimum: 1, maximum: 5 },
      grid_g_per_kwh: { description: 'Intensity of the grid, in g CO2e per kWh.', type: ['number', 'null'], minimum: 0, maximum: 5000 },
      market_g_per_kwh: {
        description: 'Intensity of the electricity that was bought, in g CO2e per kWh.',
        type: ['number', 'null'],
        minimum: 0,
        maximum: 5000,
      },
      storage_replication: { description: 'Copies that a provider keeps. Default 3.', type: ['number', 'null'], minimum: 1, maximum: 20 },
      job_minutes: {
        description: 'How long a pod of a Job runs. Default 10.',
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
        description: 'Mean intensity of the year, or that of the next kWh, which `grid_g_per_kwh` must give.',
        enum: ['average', 'marginal'],
        default: 'average',
      },
      embodied: { description: 'Count the making of the servers.', type: 'boolean', default: true },
      upstream_energy: {
        description: 'Not to be had: the intensities of the grids are of their whole life cycle already.',
        type: 'boolean',
        default: false,
      },
      power_model: {
        description:
          'Measured curves where there are any, else calibrated figures; or the raw figures of Cloud Carbon Footprint, to compare with it.',
        enum: ['best', 'ccf'],
        default: 'best',
      },
    },
  },
  functional_unit: {
    description: 'What the emissions are divided by for the SCI (ISO/IEC 21031).',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'count'],
    properties: {
      name: { description: 'Name of the unit: `requests`.', ...name },
      count: { description: 'Units in the period.', type: 'number', minimum: 1e-9 },
    },
  },
  compare: {
    description: 'What would run instead.',
    type: 'object',
    additionalProperties: false,
    required: ['proposed'],
    properties: {
      proposed: { type: 'object', additionalProperties: false, anyOf: SOME_INPUT, properties: { ...INPUTS, ...PLACE } },
    },
  },
  spend_based: {
    description:
      'Give rows of bills without a physical model the energy that the same money buys in the other rows of their account, from a quarter to four times.',
    type: 'boolean',
    default: false,
  },
  levels: { description: 'Percent of cases that the ranges hold.', enum: [90], default: 90 },
  strict: { description: 'Refuse regions and types that are not known.', type: 'boolean', default: false },
} as const;

/** The body of `POST /api/v1/carbon/estimate`. */
export const ESTIMATE_BODY_SCHEMA = {
  title: 'CarbonEstimateRequest',
  type: 'object',
  additionalProperties: false,
  anyOf: SOME_INPUT,
  properties: ESTIMATE_MEMBERS,
} as const;
