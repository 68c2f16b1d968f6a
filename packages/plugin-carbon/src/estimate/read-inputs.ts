import { usageRows } from '@bylaw/core/cost';
import { isInputError, type JsonObject, type Resource, readDocument, readObject, splitDocuments, textInput } from '@bylaw/core/resource';
import { carbonError } from '../error-table.js';
import { gpuPowerOf, gridOf, machineOf } from '../factors/index.js';
import {
  BillingReader,
  type CarbonItem,
  type ItemContext,
  manifestItems,
  type ReadItems,
  terraformItems,
  type Unestimated,
  usageItems,
} from '../items/index.js';
import type { EstimateInputs } from './types.js';

/**
 * Everything of an input, as items that are sorted by their identifiers, which are made unique.
 * @param read items that the caller has read already, such as those of a bill too large for a request
 * @param path JSON Pointer of the inputs in the request
 * @throws {BylawError} `carbon-input-missing`, `provider-missing`, and those of bills of core
 */
export async function readInputs(
  inputs: EstimateInputs,
  context: ItemContext,
  read: readonly ReadItems[] = [],
  path = '',
): Promise<ReadItems> {
  const parts = [...read];
  if (inputs.manifests !== undefined) parts.push(await readManifests(inputs, context, path));
  if (inputs.terraform !== undefined) parts.push(terraformItems(inputs.terraform, context));
  if (inputs.usage !== undefined) parts.push(usageItems(inputs.usage, context, `${path}/usage`));
  if (inputs.focus_rows !== undefined) parts.push(readBill({ focus_rows: inputs.focus_rows }, context, `${path}/focus_rows`));
  if (inputs.focus_csv !== undefined) parts.push(readBill({ focus_csv: inputs.focus_csv }, context, `${path}/focus_csv`));
  if (parts.length === 0)
    throw carbonError('carbon-input-missing', 'There is no input to estimate.', {
      path,
      hint: 'Provide manifests, a Terraform plan, rows of a bill, or a usage list.',
    });
  const items = unique(parts.flatMap((part) => part.items));
  const warnings = [
    ...parts.flatMap((part) => part.warnings),
    ...placeWarnings(items, context, path),
    ...nodeWarnings(inputs, context, path),
  ];
  const unestimated = [...parts.flatMap((part) => part.unestimated), ...unknownAccelerators(items)];
  return { items, unestimated: unestimated.sort(byId), warnings };
}

/** What the pods of a cluster have, they say themselves. */
function unknownAccelerators(items: readonly CarbonItem[]): Unestimated[] {
  return items.flatMap(({ id, source, gpuModel }) =>
    source === 'manifest' || gpuModel === undefined || gpuPowerOf(gpuModel) !== undefined
      ? []
      : [
          {
            id: `${id}#accelerators`,
            reason:
              gpuModel === 'unknown'
                ? 'The accelerators of this instance type are unknown, so the estimate of the machine is too low.'
                : `There is no public figure for the power of its accelerators (${gpuModel}), so the estimate of the machine is too low.`,
          },
        ],
  );
}

async function readManifests({ manifests = [], nodes = [] }: EstimateInputs, context: ItemContext, path: string): Promise<ReadItems> {
  if (context.provider === undefined)
    throw carbonError('provider-missing', 'Manifests do not specify a provider.', {
      path: '/provider',
      hint: 'Set the provider to aws, azure, gcp or on-prem.',
    });
  const found = typeof manifests === 'string' ? await textResources(manifests) : objectResources(manifests);
  const read = manifestItems(found.resources, nodes, context, context.provider);
  const unread = found.errors.map((message) => ({ code: 'malformed', message, path: `${path}/manifests` }));
  return { ...read, warnings: [...unread, ...read.warnings] };
}

interface Found {
  resources: Resource[];
  errors: string[];
}

async function textResources(text: string): Promise<Found> {
  const found: Found = { resources: [], errors: [] };
  for await (const part of splitDocuments(textInput('manifests', text))) {
    if (isInputError(part)) found.errors.push(messageWithLine(part));
    else add(found, readDocument(part));
  }
  return found;
}

function objectResources(objects: readonly object[]): Found {
  const found: Found = { resources: [], errors: [] };
  for (const [document, object] of objects.entries()) add(found, readObject(object as JsonObject, { file: 'manifests', document })); // copied and checked there
  return found;
}

function add(
  found: Found,
  { resources, errors }: { resources: Resource[]; errors: { message: string; location?: { line: number } | null }[] },
): void {
  for (const resource of resources) found.resources.push(resource);
  for (const error of errors) found.errors.push(messageWithLine(error));
}

function messageWithLine({ message, location }: { message: string; location?: { line: number } | null }): string {
  return !location || location.line === 0 ? message : `Line ${location.line}: ${message}`;
}

/** @throws {BylawError} of core's table for costs, where the rows are those of no bill */
function readBill(bill: Pick<EstimateInputs, 'focus_csv' | 'focus_rows'>, context: ItemContext, path: string): ReadItems {
  const reader = new BillingReader(context, path);
  usageRows(bill, [], (row) => reader.add(row));
  return reader.items();
}

/** What no list says where it is gets the mean of the world, and nobody should miss that. */
function placeWarnings(items: readonly CarbonItem[], { region, gridTold }: ItemContext, path: string): ReadItems['warnings'] {
  const places = new Map(items.map((item) => [`${item.provider} ${item.region}`, item]));
  const unknown = [...places.values()].filter((item) => gridOf(item.provider, item.region) === undefined);
  const missing = gridTold === true ? unknown.filter((item) => item.region !== '') : unknown;
  const taken = gridTold === true ? 'the given grid intensity' : 'the world average grid intensity';
  return missing.map((item) => ({
    code: 'unknown-region',
    message:
      item.region === ''
        ? 'The region is unknown, so the estimate uses the world average grid intensity.'
        : `A region of ${item.provider} is not in the table, so the estimate uses ${taken}.`,
    path: item.region === '' || item.region === region ? '/region' : path,
  }));
}

function nodeWarnings({ nodes = [] }: EstimateInputs, { provider }: ItemContext, path: string): ReadItems['warnings'] {
  if (provider === undefined) return [];
  return nodes.flatMap(({ instance_type }, index) =>
    machineOf(provider, instance_type) === undefined
      ? [
          {
            code: 'unknown-instance-type',
            message: 'The instance type of these nodes is unknown, so the estimate uses a typical machine.',
            path: `${path}/nodes/${index}/instance_type`,
          },
        ]
      : [],
  );
}

/** Sorted, so that the order of the input cannot change a digit; the second of a name gets a number. */
function unique(items: readonly CarbonItem[]): CarbonItem[] {
  const taken = new Set(items.map(({ id }) => id));
  const used = new Map<string, number>();
  return items.toSorted(byId).map((item) => {
    let times = (used.get(item.id) ?? 0) + 1;
    while (times > 1 && taken.has(`${item.id} (${times})`)) times += 1;
    used.set(item.id, times);
    return times === 1 ? item : { ...item, id: `${item.id} (${times})` };
  });
}

/** Things of one name by what else is known of them, which is not how the input has ordered them. */
function byId(a: { id: string }, b: { id: string }): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}
