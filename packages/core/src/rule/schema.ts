import { CATEGORIES, SEVERITIES } from './rule.js';

const text = { type: 'string', minLength: 1 } as const;
const cel = { type: 'string', minLength: 1, maxLength: 10_000 } as const;
const pointer = { type: 'string', pattern: '^(/([^~/]|~0|~1)*)*$' } as const;
const RULE_ID = '^[A-Z][A-Z0-9]{1,7}-[0-9]{3}$';
const objects = {
  anyOf: [
    { type: 'object', minProperties: 1 },
    { type: 'array', minItems: 1, items: { type: 'object', minProperties: 1 } },
  ],
} as const;

const LOGIC = {
  targets: {
    description:
      'The kinds that the rule checks: `PodSpec`, a built-in `Kind`, `group/Kind`, `group/*`, `*` or a Terraform resource type. The suffix ` +set` means that the rule also reads other resources.',
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { type: 'string', pattern: '^(\\*|[A-Za-z][A-Za-z0-9_.-]*(/([A-Za-z][A-Za-z0-9]*|\\*))?)( \\+set)?$' },
  },
  each: {
    description:
      'Check each item separately. A container list (`anyContainer`, `containers`, `initContainers`, `ephemeralContainers`) binds `container` and `containerKind`; any other string is a CEL expression for a list and binds `item`. A pair of both checks each item of each container.',
    anyOf: [cel, { type: 'array', minItems: 2, maxItems: 2, items: cel }],
  },
  when: { description: 'CEL expression. If it is false, the rule does not apply: it neither passes nor fails.', ...cel },
  expression: { description: 'CEL expression. The rule passes if it is true and fails if it is false.', ...cel },
  path: {
    description:
      'JSON Pointer of the finding, relative to the first of these that exists: the item, the container, the Pod or pod template, the object. If the value does not exist, the finding is located at its deepest existing ancestor.',
    ...pointer,
  },
  line: {
    description:
      'CEL expression. If the finding is about one line of a multi-line string: the number of this line, counted from 1; 0 for the whole string. In a YAML block scalar (`|`), the finding is located at that line of the file; in any other string, at the start of the value.',
    ...cel,
  },
  message: {
    description: 'CEL expression for the message of the finding, which includes the container and the value found. Default: the title.',
    ...cel,
  },
  caused_by: {
    description:
      'Rules that can be the cause of a failure, the most likely first: their fix also fixes this finding, or must come first. If one of them fails on the same container, item or object, on its parent or on a part of it, reports for people show the finding of this rule together with the finding of that rule.',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rules'],
      properties: {
        rules: {
          description: 'Identifiers of the rules.',
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { type: 'string', pattern: RULE_ID },
        },
        when: { description: 'CEL expression. If it is false, these rules are not the cause.', ...cel },
      },
    },
  },
  edit: {
    description: 'The safe, local fix as data, for `bylaw evaluate --fix`. Its JSON Pointers are relative to the same place as `path`.',
    type: 'object',
    additionalProperties: false,
    anyOf: [{ required: ['set'] }, { required: ['add'] }, { required: ['remove'] }],
    messages: { anyOf: 'must have `set`, `add` or `remove`' },
    properties: {
      when: { description: 'CEL expression. If it is false, the change is not safe and is not made.', ...cel },
      test_after: {
        description:
          'What to test after the change, as a sentence, if the change can stop a workload from starting or working. Only `--fix-unsafe` makes such a change.',
        ...text,
      },
      set: {
        description: 'Values to set, by JSON Pointer. Missing parent mappings are created; a mapping is merged into an existing mapping.',
        type: 'object',
        minProperties: 1,
        propertyNames: pointer,
      },
      add: {
        description: 'Items to add to lists, by JSON Pointer. A missing list is created.',
        type: 'object',
        minProperties: 1,
        propertyNames: pointer,
        additionalProperties: { type: 'array', minItems: 1 },
      },
      remove: { description: 'JSON Pointers of members to remove.', type: 'array', minItems: 1, items: pointer },
    },
  },
} as const;

/** JSON Schema (draft 7) of one rule file. Built-in and custom packs are held to the same. */
export const RULE_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Rule',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'severity', 'title', 'description', 'fix', 'examples'],
  oneOf: [{ required: ['targets', 'expression'] }, { required: ['variants'] }],
  properties: {
    id: {
      description: 'Category code, hyphen, three digits. The prefix is the category of the rule.',
      type: 'string',
      pattern: RULE_ID,
    },
    severity: { description: 'Severity of a failure.', enum: [...SEVERITIES] },
    title: { description: 'Requirement that the rule checks, at most 80 characters.', ...text, maxLength: 80 },
    description: { description: 'Why the rule matters: the attack or the outage, in one to three sentences.', ...text },
    ...LOGIC,
    variants: {
      description: 'Separate logic for each group of targets, instead of one logic for all targets.',
      type: 'array',
      minItems: 2,
      items: { type: 'object', additionalProperties: false, required: ['targets', 'expression'], properties: LOGIC },
    },
    generic: {
      description:
        'The rule checks something that every object has, such as its labels. A kind that only such rules name is reported as not checked.',
      type: 'boolean',
    },
    set: {
      description:
        'For targets with ` +set`: the kinds of other resources that the rule reads, with the JSON Pointers that it needs for each kind; `*` stands for every item of a list. Group, kind, name and namespace are always available.',
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'array', items: pointer },
    },
    fix: { description: 'What to change.', ...text },
    frameworks: {
      description: '`NAME-VERSION:ITEM` of each control that the rule supports.',
      type: 'array',
      uniqueItems: true,
      items: text,
    },
    references: {
      description: 'Web addresses for further reading.',
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', pattern: '^https://' },
    },
    peers: {
      description: 'Checks of other tools that are the same or similar, as `tool:check`.',
      type: 'array',
      uniqueItems: true,
      items: text,
    },
    examples: {
      description: 'Inputs that the rule is tested with: at least one that fails and one that passes.',
      type: 'array',
      minItems: 2,
      items: {
        type: 'object',
        additionalProperties: false,
        oneOf: [{ required: ['fail'] }, { required: ['pass'] }, { required: ['skip'] }, { required: ['undecided'] }],
        properties: {
          fail: { description: 'Objects on which the rule fails; of several objects, on at least one.', ...objects },
          pass: { description: 'Objects on which the rule passes.', ...objects },
          skip: { description: 'Objects to which the rule does not apply.', ...objects },
          undecided: {
            description: 'Objects on which the rule neither passes nor fails, because something that decides is not known.',
            ...objects,
          },
          note: { description: 'What the example shows.', ...text },
          finding: {
            description: 'Expected finding of a failing example, or a list of several findings.',
            anyOf: [{ $ref: '#/definitions/finding' }, { type: 'array', minItems: 1, items: { $ref: '#/definitions/finding' } }],
          },
          config: { description: 'Pack settings for this example.', type: 'object' },
          file: { description: 'File from which the objects are assumed to come.', ...text },
          complete: { description: 'The objects are assumed to be all that is in the cluster, as with `--complete`.', type: 'boolean' },
          live: { description: 'The objects are assumed to come from a cluster.', type: 'boolean' },
        },
      },
    },
  },
  definitions: {
    finding: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        path: { description: 'JSON Pointer into the whole object.', ...pointer },
        message: text,
        resource: { description: 'Name of the resource that fails.', ...text },
      },
    },
  },
} as const;

/** JSON Schema of `pack.yaml`, which names a pack and declares its settings and constants. */
export const PACK_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Rule pack',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { description: 'The section under `packs` in bylaw.yaml that holds its settings.', type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    config: {
      description: 'JSON Schema of each setting, with its default. Rules read them as `config.<name>`.',
      type: 'object',
      additionalProperties: { type: 'object', required: ['description', 'default'] },
    },
    constants: { description: 'Values that change from release to release. Rules read them as `constants.<name>`.', type: 'object' },
  },
} as const;

/** Category codes that only the product's own packs may use. */
export const RESERVED_CATEGORIES: ReadonlySet<string> = new Set(Object.keys(CATEGORIES));
