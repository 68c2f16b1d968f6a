import type { JsonSchema } from '../http/route.js';
import { LOCATION, REPORT_MEMBERS, SEVERITY } from '../http/schemas/finding.js';
import { list, object, oneOfText, text, whole } from '../http/schemas/json-schema.js';
import { SEVERITIES } from '../rule/index.js';
import { CATEGORIES, EDGE_KINDS, PRESENCES } from './model.js';

const PRESENCE_TEXT =
  '`input`: in the input. `api`: the API creates it itself. `outside`: not in the input, which may not be whole. `missing`: not in the input, which is complete; or there, but without the port or key that the reference names.';

const PLACE = { anyOf: [LOCATION, { type: 'null' }] };

const TALLY = {
  worst: { description: 'Severity of the most severe failing finding; null if there is none.', anyOf: [SEVERITY, { type: 'null' }] },
  findings: {
    description: 'Failing findings by severity.',
    ...object({}, Object.fromEntries(SEVERITIES.map((severity) => [severity, whole('Number of findings.', 1)]))),
  },
  suppressed: whole('Findings that exceptions accept.'),
  errors: whole('Rules that could not be evaluated.'),
  undecided: whole('Checks that could not be decided.'),
};

const RULE_COUNTS = list(
  'The rules with failing findings.',
  object({ rule_id: text('Identifier of the rule.'), count: whole('Number of findings.', 1) }),
);

const flag = (description: string) => ({ description, type: ['boolean', 'null'] });

const NODE: JsonSchema = {
  title: 'GraphNode',
  ...object({
    id: text(
      '`KIND/NAMESPACE/NAME`, with `-` in place of a namespace for what is in none, and `#2` and so on for further definitions of the same object.',
    ),
    category: oneOfText('What it is drawn as.', CATEGORIES),
    kind: text(
      '`Kind`, or `group/Kind` for a custom resource. `Pods` is a selector that selects no Pod; `Host` is a host outside of the cluster.',
    ),
    namespace: {
      description: 'Namespace, that of the run if the object does not set one; null for what is in none.',
      type: ['string', 'null'],
    },
    name: text('Name. One that is longer than 253 characters is cut, and ends with a hash.'),
    presence: oneOfText(PRESENCE_TEXT, PRESENCES),
    location: PLACE,
    checked: flag('Whether a selected rule covers the kind; null for what was not evaluated.'),
    evaluated: flag(
      'Whether the run evaluated it: with `--changed-since`, what has not changed was not; null for what is not in the input.',
    ),
    ...TALLY,
    rules: RULE_COUNTS,
  }),
};

const EDGE: JsonSchema = {
  title: 'GraphEdge',
  ...object({
    kind: oneOfText('What `from` does with `to`.', EDGE_KINDS),
    from: text('`id` of a node.'),
    to: text('`id` of a node.'),
    target: oneOfText(PRESENCE_TEXT, PRESENCES),
    path: text('JSON Pointer of the reference in the object that has it: `from`, except for `owns`.'),
    location: PLACE,
    detail: text('What of the target is meant, such as `port 80` or `key password`. Empty if all of it is.'),
    optional: { description: 'Whether the workload starts without the target, too.', type: 'boolean' },
    ...TALLY,
    rules: RULE_COUNTS,
  }),
};

const LEGEND: JsonSchema = {
  title: 'GraphLegend',
  description: 'What a reader must not take for checked, and what the graph leaves out.',
  ...object({
    rules_selected: whole('Rules that were selected for the run.'),
    unchecked: list(
      'Resources whose kind no selected rule covers.',
      object({ kind: text('Kind.'), count: whole('Number of resources.', 1) }),
    ),
    not_drawn: list(
      'Resources without a node, because their kind is not drawn and nothing drawn refers to them; with the findings on them.',
      object({ kind: text('Kind.'), count: whole('Number of resources.', 1), ...TALLY }),
    ),
    not_listed: list('Kinds of a cluster that could not be listed.', object({ kind: text('Kind.'), reason: text('Why.') })),
    elsewhere: {
      description: 'Findings on resources that are not in the graph: only if the input changed while it was read.',
      ...object(TALLY),
    },
    errors: REPORT_MEMBERS.errors,
    notes: REPORT_MEMBERS.notes,
    undecided: whole('Checks that could not be decided.'),
    undecided_placed: whole(
      'Those of them that are counted on nodes, the first 10,000. If they are fewer, other nodes may have undecided checks, too.',
    ),
    selectors_cut: whole('Selectors without edges, because the graph would have too many edges or take too long.'),
  }),
};

/** The JSON Schema of a graph in JSON, as `docs/reference/graph.schema.json` has it. */
export const GRAPH_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Graph',
  description: 'The graph of a run, as `bylaw evaluate --graph FILE.json` writes it.',
  ...object({
    version: { description: 'Version of this form.', const: 1 },
    complete: { description: 'Whether the input claims to hold everything that is in the cluster.', type: 'boolean' },
    nodes: list('Sorted by `id`.', NODE),
    edges: list('Sorted by `from`, `to`, `kind` and `path`.', EDGE),
    rules: {
      description: 'The rules that nodes and edges name, by identifier.',
      type: 'object',
      additionalProperties: object({ severity: SEVERITY, title: text('Requirement that the rule checks.') }),
    },
    legend: LEGEND,
  }),
};
