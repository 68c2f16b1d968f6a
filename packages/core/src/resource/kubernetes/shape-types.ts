import { builtinGroup } from './builtin-group.js';
import { KINDS, SHAPES } from './data/kubernetes-shapes.js';
import { isDeploymentConfig } from './pod.js';

/** The type of a field, as the generated table writes it. */
export type Shape =
  | { type: 'string' | 'integer' | 'number' | 'boolean' | 'quantity' | 'integer-or-string' | 'anything' }
  | { type: 'list' | 'map'; item: Shape }
  | ObjectShape;

export interface ObjectShape {
  type: 'object';
  /** Fields that the table does not name may hold anything. */
  fields: ReadonlyMap<string, Shape>;
}

/** The shape of a kind; of a kind that is not built in, only that of its metadata is known, and of the pod template that a DeploymentConfig carries. */
export function shapeOfKind(apiVersion: string, kind: string): ObjectShape {
  if (isDeploymentConfig({ apiVersion, kind })) return DEPLOYMENT_CONFIG;
  const exact = KINDS[`${apiVersion}/${kind}`];
  if (exact !== undefined) return shapeNamed(exact);
  // A removed version (extensions/v1beta1 Deployment) differs from its successor in which fields it has, not in their types.
  const successor = builtinGroup(apiVersion) ? keysByKind().get(kind)?.at(-1) : undefined;
  return successor === undefined ? CUSTOM_RESOURCE : shapeNamed(KINDS[successor] ?? '');
}

const SCALARS: Readonly<Record<string, Shape>> = {
  s: { type: 'string' },
  i: { type: 'integer' },
  n: { type: 'number' },
  b: { type: 'boolean' },
  q: { type: 'quantity' },
  x: { type: 'integer-or-string' },
  a: { type: 'anything' },
};

const CUSTOM_RESOURCE: ObjectShape = {
  type: 'object',
  get fields() {
    return new Map([['metadata', shapeNamed('V1ObjectMeta')]]);
  },
};

const DEPLOYMENT_CONFIG: ObjectShape = {
  type: 'object',
  get fields() {
    const spec: ObjectShape = { type: 'object', fields: new Map([['template', shapeNamed('V1PodTemplateSpec')]]) };
    return new Map([
      ['metadata', shapeNamed('V1ObjectMeta')],
      ['spec', spec],
    ]);
  },
};

/** Shapes are parsed on first use: an input holds few of the kinds. A shape may name itself (JSONSchemaProps), so it is known before its fields. */
const parsed = new Map<string, ObjectShape>();

function shapeNamed(name: string): ObjectShape {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<string, Shape> | undefined;
  const shape: ObjectShape = {
    type: 'object',
    get fields() {
      fields ??= parseFields(SHAPES[name] ?? '');
      return fields;
    },
  };
  parsed.set(name, shape);
  return shape;
}

function parseFields(text: string): ReadonlyMap<string, Shape> {
  const fields = new Map<string, Shape>();
  for (const field of text.split(' ')) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals), parseShape(field.slice(equals + 1)));
  }
  return fields;
}

function parseShape(text: string): Shape {
  if (text.startsWith('[]')) return { type: 'list', item: parseShape(text.slice(2)) };
  if (text.startsWith('{}')) return { type: 'map', item: parseShape(text.slice(2)) };
  return SCALARS[text] ?? shapeNamed(text);
}

/** The versions in which the API has a kind, the best last: `v2` over `v1` over `v1beta1`. Empty for a kind that is not built in. */
export function apiVersionsOf(kind: string): readonly string[] {
  return (
    keysByKind()
      .get(kind)
      ?.map((key) => key.slice(0, key.lastIndexOf('/'))) ?? []
  );
}

let byKind: ReadonlyMap<string, readonly string[]> | undefined;

/** The keys of the table by kind, the best version last. */
function keysByKind(): ReadonlyMap<string, readonly string[]> {
  byKind ??= Map.groupBy(
    Object.keys(KINDS).sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1)),
    (key) => key.slice(key.lastIndexOf('/') + 1),
  );
  return byKind;
}

function rankOf(key: string): string {
  const [, major = '0', stage = 'z', minor = '0'] = /\/?v(\d+)(alpha|beta)?(\d*)\/\w+$/.exec(key) ?? [];
  return `${stage}-${major.padStart(3, '0')}-${minor.padStart(3, '0')}`;
}
