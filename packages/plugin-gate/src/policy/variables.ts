import { ANY, type MemberShape, SCALAR, type Shape } from '@bylaw/core/cel';

type Members = { readonly [name: string]: Shape };

const list = (items: Shape): Shape => ({ type: 'list', items });

/** An object: members that are always there, and members that may be missing. */
function object(always: Members, maybe: Members = {}): Shape {
  return { type: 'object', members: { ...members(always, {}), ...members(maybe, { optional: true }) } };
}

/** An object of which members are there only when `flag` is true. */
function given(flag: string, always: Members, then: Members, maybe: Members = {}): Shape {
  const flags = { [flag]: { shape: SCALAR, implies: Object.keys(then) } };
  return { type: 'object', members: { ...flags, ...members(always, {}), ...members({ ...then, ...maybe }, { optional: true }) } };
}

function members(shapes: Members, how: Omit<MemberShape, 'shape'>): { [name: string]: MemberShape } {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { shape, ...how }]));
}

const cost = object({ unit: SCALAR, amount: SCALAR });

const finding = object(
  {
    rule_id: SCALAR,
    category: SCALAR,
    severity: SCALAR,
    title: SCALAR,
    status: SCALAR,
    resource: object({ api_version: SCALAR, kind: SCALAR, namespace: SCALAR, name: SCALAR }),
    path: SCALAR,
    message: SCALAR,
    fix: SCALAR,
    frameworks: list(SCALAR),
  },
  {},
);

/** What a `when` sees, and which members may be missing; docs/policies.md tells what each means. */
export const VARIABLES: { readonly [variable: string]: Shape } = {
  proposal: object(
    {
      id: SCALAR,
      principal: object({ id: SCALAR }, { type: SCALAR }),
      enforcement: SCALAR,
      action: object({ type: SCALAR, resource: SCALAR, parameters: ANY }, { cost, reversible: SCALAR, summary: SCALAR }),
      environment: SCALAR,
      context: ANY,
    },
    {
      agent: object({ id: SCALAR }, { name: SCALAR, version: SCALAR, model: SCALAR, session_id: SCALAR }),
      adapter: SCALAR,
      justification: SCALAR,
      requested_at: SCALAR,
      parent_id: SCALAR,
    },
  ),
  budget: given(
    'present',
    { status: SCALAR },
    {
      budget_id: SCALAR,
      unit: SCALAR,
      limit: SCALAR,
      spent: SCALAR,
      reserved: SCALAR,
      period_start: SCALAR,
      period_end: SCALAR,
      as_of: SCALAR,
    },
  ),
  mandate: given(
    'valid',
    { status: SCALAR, present: SCALAR },
    {
      mandate_id: SCALAR,
      issuer: SCALAR,
      key_id: SCALAR,
      subject: SCALAR,
      delegate: SCALAR,
      scope: object({ actions: list(SCALAR), resources: list(SCALAR), environments: list(SCALAR) }, { adapters: list(SCALAR) }),
      limits: object({}, { max_cost: cost, reversible_only: SCALAR }),
      not_before: SCALAR,
      expires_at: SCALAR,
    },
    { purpose: SCALAR },
  ),
  governance: given(
    'present',
    {},
    {
      catalogue_digest: SCALAR,
      score: SCALAR,
      rules: list(SCALAR),
      findings: list(finding),
      unchecked: SCALAR,
      unchecked_kinds: list(object({ kind: SCALAR, count: SCALAR })),
      incomplete: SCALAR,
    },
  ),
  request: object({ time: SCALAR }),
};
