import { CORE_ERRORS, type InputError } from '../errors.js';
import {
  type ConfiguredException,
  EXCEPTIONS_FROM,
  type ExceptionsFrom,
  UNDECIDED_HANDLING,
  type UndecidedHandling,
} from '../evaluate/index.js';
import { MOST_NAMED, NOTES, type Note } from '../note.js';
import type { JsonObject } from '../resource/text/json.js';
import { type Place, PROVIDERS } from '../workload/index.js';

/** JSON Schemas (2020-12, as OpenAPI 3.1 takes them) of the bodies of POST /api/v1/evaluate and /api/v1/validate. */

const NAMES = { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 2000 } as const;

const INPUT = {
  files: {
    description: 'Files with their content. Findings have locations in these files.',
    type: 'array',
    maxItems: 100_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'content'],
      properties: {
        path: { type: 'string', minLength: 1, maxLength: 4096 },
        content: { type: 'string' },
        encoding: { description: '`base64` if the file is not UTF-8 text; an error then reports the file.', enum: ['utf-8', 'base64'] },
        explicit: {
          description: 'False for a file that was found in a folder: it can contain documents other than manifests.',
          type: 'boolean',
        },
        rendered: {
          description:
            'The chart or kustomization that the content was rendered from. The lines of the content are not lines of `path`, so findings are located at line 1.',
          type: 'string',
          maxLength: 4096,
        },
        use: {
          description:
            'What a kustomization uses the file for. In a `patch` only whole objects are evaluated and parts of objects are noted; in `data` only objects are evaluated.',
          enum: ['patch', 'data'],
        },
      },
    },
  },
  manifests: {
    description: 'Objects. Findings on these objects have no location.',
    type: 'array',
    maxItems: 100_000,
    items: { type: 'object' },
  },
  content: { description: 'YAML or JSON text with any number of documents.', type: 'string' },
  input_errors: {
    description:
      'Errors for input that the caller could not read. They are reported before all other errors and count as input that was not evaluated.',
    type: 'array',
    maxItems: 100_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message', 'location'],
      properties: {
        code: { enum: Object.keys(CORE_ERRORS) },
        message: { type: 'string', maxLength: 10_000 },
        location: {
          type: ['object', 'null'],
          additionalProperties: false,
          required: ['file', 'line', 'column'],
          properties: {
            file: { type: 'string', maxLength: 4096 },
            line: { type: 'integer', minimum: 0 },
            column: { type: 'integer', minimum: 0 },
          },
        },
      },
    },
  },
  input_notes: {
    description: 'Notes about input that the caller left out without an error. They are reported before all other notes.',
    type: 'array',
    maxItems: 1000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message', 'count', 'first'],
      properties: {
        code: { enum: Object.keys(NOTES) },
        message: { type: 'string', maxLength: 10_000 },
        count: { type: 'integer', minimum: 1 },
        first: { type: 'array', maxItems: MOST_NAMED, items: { type: 'string', maxLength: 4096 } },
      },
    },
  },
} as const;

const ONE_INPUT = [{ required: ['files'] }, { required: ['manifests'] }, { required: ['content'] }] as const;

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const;

/** Entries of each list in an answer, unless a request says otherwise. */
export const DEFAULT_LIMIT = 10_000;

const LIMIT = {
  description:
    'The most entries of each list in the answer; 0 for all. Of findings, the most severe are kept. Counts and scores are always complete, and `truncated` says what was left out.',
  type: 'integer',
  minimum: 0,
  maximum: 100_000,
  default: DEFAULT_LIMIT,
} as const;

/** Members that say how a request wants its input evaluated. */
export const FILTER_MEMBERS = {
  rules: { description: 'Use only these rules.', ...NAMES },
  exclude_rules: { description: 'Do not use these rules.', ...NAMES },
  categories: { description: 'Use only rules of these categories.', ...NAMES },
  severities: { description: 'Use only rules of these severities. Case is ignored.', ...NAMES },
  frameworks: { description: 'Use only rules that map to one of these frameworks, with or without version and item.', ...NAMES },
  namespace: { description: 'Namespace for objects that do not set one; `default` if absent.', ...text(253) },
  exceptions: {
    description: 'Exceptions, in addition to those that the objects declare themselves.',
    type: 'array',
    maxItems: 10_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rule', 'reason'],
      properties: {
        rule: {
          description: 'Identifier of the rule, or a whole category, such as `CS-*`.',
          type: 'string',
          pattern: '^[A-Z][A-Z0-9]{1,7}-([0-9]{3}|\\*)$',
        },
        reason: { type: 'string', minLength: 1, maxLength: 2000 },
        kind: text(253),
        namespace: text(253),
        name: text(253),
        file: text(4096),
        path: text(4096),
        expires: { description: 'Last day (UTC) on which the exception applies.', type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
      },
    },
  },
  exceptions_from: {
    description:
      'Which exceptions count. `none`: no annotation, comment, configured exception or baseline. `config`: those in `exceptions` and `baseline`, and those of the server, but not those in the manifests. `all`: all of them. The stricter of this and the setting `evaluate.exceptions` of the server applies. A finding that an exception covers which does not count fails, with the member `would_be_suppressed`.',
    enum: EXCEPTIONS_FROM,
  },
  complete: {
    description:
      'The input contains everything that is in the cluster. An object that another one refers to and that is not in the input then does not exist, and rules report it. Absent or `false`: such checks are undecided.',
    type: 'boolean',
  },
  undecided: {
    description:
      'What to do about checks that cannot be decided, because a value is known only after apply or an object is not in the input. `ignore`: leave them out of the answer. `warn`: report them in `undecided`. `fail`: also report the error `checks-undecided`. Absent: the setting `evaluate.undecided` of the server.',
    enum: UNDECIDED_HANDLING,
  },
  baseline: {
    description: 'Known findings, as the entries of a baseline file: rule, kind, namespace, name, path.',
    type: 'array',
    items: { type: 'array', minItems: 5, maxItems: 5, items: { type: ['string', 'null'] } },
  },
  packs: {
    description: 'Settings of rule packs; they override those of the server.',
    type: 'object',
    additionalProperties: { type: 'object' },
  },
} as const;

export const EVALUATE_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  oneOf: ONE_INPUT,
  properties: {
    ...INPUT,
    ...FILTER_MEMBERS,
    include_passed: { description: 'Also report rules that pass.', type: 'boolean' },
    fail_on_skipped: {
      description: 'Report input that may contain manifests and was not read as an error instead of a note.',
      type: 'boolean',
    },
    include_compliance: {
      description:
        'Add the member `compliance`: for each control of the frameworks in `frameworks`, or of all frameworks, whether it passes, fails, is not checked or is not covered.',
      type: 'boolean',
    },
    limit: LIMIT,
  },
} as const;

const SIDE = { type: 'object', additionalProperties: false, oneOf: ONE_INPUT, properties: INPUT } as const;

const PLACE = {
  description:
    'Where the workloads run, for the estimates that plugins add to the answer. Manifests do not contain this information; most Terraform resources do. Absent members are taken from the configuration of the server.',
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { description: 'Provider of the machines.', enum: PROVIDERS },
    region: { description: 'Region, as the provider writes it; for your own data centre, the country.', ...text(100), minLength: 1 },
    instance_type: {
      description: 'Type of the machines that pods run on, unless they request a different one.',
      ...text(100),
      minLength: 1,
    },
    nodes: { description: 'Number of machines, for DaemonSets.', type: 'integer', minimum: 1, maximum: 1_000_000 },
  },
} as const;

export const VALIDATE_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['current', 'proposed'],
  properties: { current: SIDE, proposed: SIDE, place: PLACE, ...FILTER_MEMBERS, limit: LIMIT },
} as const;

export interface InputBody {
  files?: { path: string; content: string; encoding?: 'utf-8' | 'base64'; explicit?: boolean; rendered?: string; use?: 'patch' | 'data' }[];
  manifests?: object[];
  content?: string;
  input_errors?: InputError[];
  input_notes?: Note[];
}

export interface FilterBody {
  rules?: string[];
  exclude_rules?: string[];
  categories?: string[];
  severities?: string[];
  frameworks?: string[];
  namespace?: string;
  exceptions_from?: ExceptionsFrom;
  undecided?: UndecidedHandling;
  complete?: boolean;
  exceptions?: ConfiguredException[];
  baseline?: (string | null)[][];
  packs?: { [pack: string]: JsonObject };
}

export interface EvaluateBody extends InputBody, FilterBody {
  include_passed?: boolean;
  fail_on_skipped?: boolean;
  include_compliance?: boolean;
  limit?: number;
}

export interface ValidateBody extends FilterBody {
  current: InputBody;
  proposed: InputBody;
  place?: Place;
  limit?: number;
}
