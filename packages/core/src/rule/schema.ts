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
      'The kinds that the rule judges: `PodSpec`, a built-in `Kind`, `group/Kind`, `group/*`, `*` or a Terraform type. ` +set` after one says that the rule also looks at the other resources.',
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { type: 'string', pattern: '^(\\*|[A-Za-z][A-Za-z0-9_.-]*(/([A-Za-z][A-Za-z0-9]*|\\*))?)( \\+set)?$' },
  },
  each: {
    description:
      'Judge once per item. A container list (`anyContainer`, `containers`, `initContainers`, `ephemeralContainers`) binds `container` and `containerKind`; any other text is a CEL list and binds `item`. A pair of both judges once per item of each container.',
    anyOf: [cel, { type: 'array', minItems: 2, maxItems: 2, items: cel }],
  },
  when: { description: 'CEL. Where it is false the rule does not apply: it neither passes nor fails.', ...cel },
  expression: { description: 'CEL. True passes, false fails.', ...cel },
  path: {
    description:
      'JSON Pointer of the finding, relative to the item, else to the container, else to the Pod or pod template, else to the object. The finding is located at its deepest existing ancestor.',
    ...pointer,
  },
  line: {
    description:
      'CEL. Where the finding is about one line of the text at its place: which one, counted from 1; 0 = the text as a whole. In a block scalar of YAML (`|`) the finding is then located at that line of the file, in any other text at the start of the value.',
    ...cel,
  },
  message: { description: 'CEL that gives the text of the finding: names the container and the value found. Absent: the title.', ...cel },
  caused_by: {
    description:
      'Rules that may be the cause of a failure, the likeliest first: their fix mends it too, or must come first. Where one of them fails on the same container, item or object, on what holds it or on a part of it, reports for people show the finding of this rule with the finding of that one.',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['rules'],
      properties: {
        rules: {
          description: 'Their identifiers.',
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { type: 'string', pattern: RULE_ID },
        },
        when: { description: 'CEL. Where it is false they are not the cause.', ...cel },
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
      when: { description: 'CEL. Where it is false the change is not safe and is not made.', ...cel },
      test_after: {
        description:
          'For a change that can stop a workload from starting or from working: what to test after it, as a sentence. Only `--fix-unsafe` makes such a change.',
        ...text,
      },
      set: {
        description: 'Values of members. Missing mappings on the way are made; a mapping is merged into one that is there.',
        type: 'object',
        minProperties: 1,
        propertyNames: pointer,
      },
      add: {
        description: 'Items that lists must hold. A missing list is made.',
        type: 'object',
        minProperties: 1,
        propertyNames: pointer,
        additionalProperties: { type: 'array', minItems: 1 },
      },
      remove: { description: 'Members to take out.', type: 'array', minItems: 1, items: pointer },
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
      description: 'Category code, hyphen, three digits. The category is the prefix.',
      type: 'string',
      pattern: RULE_ID,
    },
    severity: { description: 'How bad a failure is.', enum: [...SEVERITIES] },
    title: { description: 'What must hold, at most 80 characters.', ...text, maxLength: 80 },
    description: { description: 'Why it matters: the attack or the outage, one to three sentences.', ...text },
    ...LOGIC,
    variants: {
      description: 'Instead of one logic: one per group of targets.',
      type: 'array',
      minItems: 2,
      items: { type: 'object', additionalProperties: false, required: ['targets', 'expression'], properties: LOGIC },
    },
    set: {
      description:
        'For targets with ` +set`: the kinds that the rule reads from the set, with the JSON Pointers that it needs of each. Group, kind, name and namespace are always there.',
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
      description: 'Web addresses to read on.',
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', pattern: '^https://' },
    },
    peers: { description: '`tool:check` that tests the same or nearly the same.', type: 'array', uniqueItems: true, items: text },
    examples: {
      description: 'Inputs that the rule is tested on: at least one that fails and one that passes.',
      type: 'array',
      minItems: 2,
      items: {
        type: 'object',
        additionalProperties: false,
        oneOf: [{ required: ['fail'] }, { required: ['pass'] }, { required: ['skip'] }],
        properties: {
          fail: { description: 'The rule fails on (one of) these objects.', ...objects },
          pass: { description: 'The rule passes.', ...objects },
          skip: { description: 'The rule does not apply.', ...objects },
          note: { description: 'What the example shows.', ...text },
          finding: {
            description: 'What a failing example reports; a list where it reports more than one.',
            anyOf: [{ $ref: '#/definitions/finding' }, { type: 'array', minItems: 1, items: { $ref: '#/definitions/finding' } }],
          },
          config: { description: 'Settings of the pack for this example.', type: 'object' },
          file: { description: 'The file that the example pretends to come from.', ...text },
          live: { description: 'The example pretends to come from a cluster.', type: 'boolean' },
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
        resource: { description: 'Name of the failing resource.', ...text },
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
    constants: { description: 'Values that age with a release. Rules read them as `constants.<name>`.', type: 'object' },
  },
} as const;

/** Category codes that only the product's own packs may use. */
export const RESERVED_CATEGORIES: ReadonlySet<string> = new Set(Object.keys(CATEGORIES));
