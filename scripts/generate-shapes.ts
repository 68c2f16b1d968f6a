/**
 * Writes packages/core/src/resource/kubernetes/data/kubernetes-shapes.ts: the types of the fields of every built-in Kubernetes kind, taken from the model
 * classes of @kubernetes/client-node. Run it with `node scripts/generate-shapes.ts` after that package moved to another Kubernetes release.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { plural } from '@bylaw/core/plural';

interface Attribute {
  baseName: string;
  type: string;
}

interface Model {
  attributeTypeMap?: Attribute[];
}

const root = dirname(createRequire(import.meta.url).resolve('@kubernetes/client-node/package.json'));
const generated = join(root, 'dist', 'gen');
const output = fileURLToPath(new URL('../packages/core/src/resource/kubernetes/data/kubernetes-shapes.ts', import.meta.url));

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const models: Record<string, Model> = await import(pathToFileURL(join(generated, 'models', 'all.js')).href);

function generate(): void {
  const kinds = kindsOf(join(generated, 'apis'));
  const shapes = shapesOf(new Set(kinds.values()));
  writeFileSync(output, moduleText(kinds, shapes));
  console.log(`${plural(kinds.size, 'kind')}, ${plural(shapes.size, 'shape')}`);
}

/** `apps/v1/Deployment` → `V1Deployment`: what the operation that creates an object of the kind posts, and where. */
function kindsOf(folder: string): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const file of readdirSync(folder)
    .filter((name) => /V\w+Api\.js$/.test(name))
    .sort()) {
    for (const operation of readFileSync(join(folder, file), 'utf8').split(/^ {4}async /m)) {
      const path = /^create[\s\S]*?localVarPath = '\/apis?\/([^']*)'/.exec(operation)?.[1];
      const type = /ObjectSerializer\.serialize\(body, "(\w+)", ""\)/.exec(operation)?.[1];
      if (path === undefined || type === undefined || isSubresource(path)) continue;
      kinds.set(`${groupVersionOf(path)}/${kindOf(type)}`, type);
    }
  }
  return new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `apps/v1/namespaces/{namespace}/deployments` → `apps/v1`; the core group has no name: `v1/namespaces` → `v1`. */
function groupVersionOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return /^v\d/.test(first) ? first : `${first}/${second}`;
}

function isSubresource(path: string): boolean {
  return /\{name\}\//.test(path);
}

/** Some classes carry the group in their name to tell equal kinds apart: CoreV1Event. */
function kindOf(type: string): string {
  return type.replace(/^[A-Z]?[a-z]*?V\d+(?:(?:alpha|beta)\d+)?/, '');
}

/** Every class that the kinds reach, as one line of `name=type`. What the API server writes itself (status, managedFields) is left out. */
function shapesOf(roots: ReadonlySet<string>): Map<string, string> {
  const shapes = new Map<string, string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (shapes.has(name)) continue;
    const attributes = (models[name]?.attributeTypeMap ?? []).filter(
      ({ baseName }) => baseName !== 'managedFields' && !(baseName === 'status' && roots.has(name)),
    );
    shapes.set(name, attributes.map((attribute) => `${attribute.baseName}=${typeOf(name, attribute)}`).join(' '));
    for (const { type } of attributes) for (const part of type.match(/\w+/g) ?? []) if (models[part] !== undefined) queue.push(part);
  }
  return new Map([...shapes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function typeOf(owner: string, { baseName, type }: Attribute): string {
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  if (list !== undefined) return `[]${typeOf(owner, { baseName, type: list })}`;
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (map !== undefined) return `{}${QUANTITY_MAPS.has(baseName) && map === 'string' ? 'q' : typeOf(owner, { baseName, type: map })}`;
  if (type === 'string' && isQuantity(owner, baseName)) return 'q';
  const scalar = { string: 's', Date: 's', V1MicroTime: 's', boolean: 'b', IntOrString: 'x', any: 'a' }[type];
  if (scalar !== undefined) return scalar;
  if (type === 'number') return isDouble(owner, baseName) ? 'n' : 'i';
  if (models[type] === undefined) throw new Error(`${owner}.${baseName} has an unknown type: ${type}`);
  return type;
}

function isDouble(owner: string, name: string): boolean {
  return (models[owner]?.attributeTypeMap ?? []).some(
    (attribute) => attribute.baseName === name && 'format' in attribute && attribute.format === 'double',
  );
}

/** The package's classes call a Quantity a string. Source: the Quantity fields of k8s.io/api, Kubernetes 1.36, Apache-2.0. */
function isQuantity(owner: string, name: string): boolean {
  return QUANTITIES.some(([classes, names]) => classes.test(owner) && names.includes(name));
}

const QUANTITIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/EmptyDirVolumeSource$/, ['sizeLimit']],
  [/ResourceFieldSelector$/, ['divisor']],
  [/CSIStorageCapacity$/, ['capacity', 'maximumVolumeSize']],
  [/MetricTarget$|MetricValueStatus$/, ['averageValue', 'value']],
  [/DeviceCapacity$|Counter$/, ['value']],
  [/CapacityRequestPolicy$/, ['default', 'validValues']],
  [/CapacityRequestPolicyRange$/, ['min', 'max', 'step']],
  [/NamedResourcesAttribute$/, ['quantity']],
  [/NodeAllocatableResourceMapping$/, ['allocationMultiplier']],
];

const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  'allocatable',
  'allocatedResources',
  'capacity',
  'consumedCapacity',
  'default',
  'defaultRequest',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'min',
  'overhead',
  'podFixed',
  'requests',
  'used',
]);

function moduleText(kinds: Map<string, string>, shapes: Map<string, string>): string {
  return `// Generated by scripts/generate-shapes.ts; do not edit.
// Source: the model classes of @kubernetes/client-node ${version} (Kubernetes ${release()}), Apache-2.0, The Kubernetes Authors.

/** apiVersion/kind → its shape. */
export const KINDS: Readonly<Record<string, string>> = {
${entries(kinds)}};

/**
 * Shape → \`field=type\`, blanks between. Types: s string, i integer, n number, b boolean, q quantity, x integer or string, a anything,
 * or the name of a shape; \`[]\` before a type makes a list of it, \`{}\` a mapping.
 */
export const SHAPES: Readonly<Record<string, string>> = {
${entries(shapes)}};
`;
}

/** The release whose OpenAPI document the classes were made from: they say so in their first lines. */
function release(): string {
  return /OpenAPI spec version: release-([\d.]+)/.exec(readFileSync(join(generated, 'models', 'V1Container.js'), 'utf8'))?.[1] ?? 'unknown';
}

function entries(map: Map<string, string>): string {
  const lines = [...map].map(([key, value]) => {
    const name = /^\w+$/.test(key) ? key : `'${key}'`;
    const line = `  ${name}: '${value}',`;
    return line.length <= 140 ? line : `  ${name}:\n    '${value}',`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

generate();
