import type { ComparedSides, Comparer } from '@bylaw/core/evaluate';
import type { Resource } from '@bylaw/core/resource';
import { changesBetween, type Place, podOfWorkload, terraformParts, workloadId } from '@bylaw/core/workload';
import { type CarbonDifference, contextOf, differenceOf } from '../estimate/index.js';
import { GRID_ATTRIBUTION, gridOf, MACHINE_ATTRIBUTION, machineOf } from '../factors/index.js';
import { type CarbonItem, manifestItems, type ReadItems, terraformResourceItems } from '../items/index.js';

/** Longer lists say how long they are. */
const SHOWN = { items: 20, unestimated: 20, warnings: 20 } as const;

/** The member `carbon` of a comparison: what the change does to the emissions of a month, by the defaults of `carbon estimate`. */
export default function carbonComparer(): Comparer<CarbonDifference> {
  return async (sides) => compareEmissions(sides);
}

function compareEmissions({ current, proposed, place }: ComparedSides): CarbonDifference {
  const [before, after] = [itemsOf(current, place), itemsOf(proposed, place)];
  const changed = changesBetween(current, proposed);
  const unestimated = new Map([...before.unestimated, ...after.unestimated].map((one) => [one.id, one]));
  const missing = [...unestimated.values()].filter(({ id }) => changed(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const items = [...before.items, ...after.items].filter(({ id }) => changed(id));
  return {
    period_hours: contextOf({}).periodHours,
    ...differenceOf(before.items, after.items, SHOWN.items),
    unestimated: missing.slice(0, SHOWN.unestimated).map(({ id, reason }) => ({ id, reason })),
    unestimated_total: missing.length,
    warnings: [
      ...new Set([...placeWarnings(items, place), ...readWarnings([before, after], (id) => changed(id) && !unestimated.has(id))]),
    ].slice(0, SHOWN.warnings),
    sources: [MACHINE_ATTRIBUTION, GRID_ATTRIBUTION],
  };
}

/** A region says nothing about resources of other providers. */
function itemsOf(resources: readonly Resource[], place: Place): ReadItems {
  const context = {
    ...contextOf({}),
    provider: place.provider,
    ...(place.instance_type !== undefined && { nodeType: place.instance_type }),
    ...(place.nodes !== undefined && { nodeCount: place.nodes }),
  };
  // Templates are not machines themselves: machines of either group are started from them.
  const templates = resources.filter((resource) => resource.terraform !== undefined && terraformParts(resource) === undefined);
  const own = (resource: Resource) => terraformParts(resource)?.provider === place.provider;
  const machines = resources.filter((resource) => terraformParts(resource) !== undefined);
  const parts = [
    terraformResourceItems([...machines.filter(own), ...templates], { ...context, region: place.region }),
    terraformResourceItems([...machines.filter((resource) => !own(resource)), ...templates], { ...context, region: undefined }),
    manifestsOf(
      resources.filter(({ terraform }) => terraform === undefined),
      { ...context, region: place.region },
    ),
  ];
  return {
    items: parts.flatMap((part) => part.items),
    unestimated: parts.flatMap((part) => part.unestimated),
    warnings: parts.flatMap((part) => part.warnings),
  };
}

function manifestsOf(resources: readonly Resource[], context: Parameters<typeof manifestItems>[2]): ReadItems {
  if (context.provider !== undefined) return manifestItems(resources, [], context, context.provider);
  const running = resources.filter((resource) => podOfWorkload(resource) !== undefined || resource.kind === 'PersistentVolumeClaim');
  return { items: [], unestimated: running.map((resource) => ({ id: workloadId(resource), reason: NO_PROVIDER })), warnings: [] };
}

const NO_PROVIDER = 'The provider is unknown. Set it with --provider, or with `workloads.provider` in bylaw.yaml.';

function placeWarnings(items: readonly CarbonItem[], { provider, instance_type: type }: Place): string[] {
  const unknown = items.filter((item) => gridOf(item.provider, item.region) === undefined);
  return [
    ...(unknown.some(({ region }) => region === '')
      ? ['The region is unknown, so the estimate uses the world average grid intensity. Set it with --region or `workloads.region`.']
      : []),
    ...(unknown.some(({ region }) => region !== '')
      ? ['A region is not in the table of its provider, so the estimate uses the world average grid intensity.']
      : []),
    ...(provider !== undefined && type !== undefined && items.some(({ shared }) => shared) && machineOf(provider, type) === undefined
      ? ['The instance type of the workloads is unknown, so the estimate uses a typical machine of the provider.']
      : []),
  ];
}

/** What is assumed of things that did not change matters to nobody here; what is not estimated is named with its reason. */
function readWarnings(sides: readonly ReadItems[], matters: (id: string) => boolean): string[] {
  const messages = sides.flatMap(({ warnings }) => warnings.map(({ message }) => message));
  return messages.filter((message) => matters(message.slice(0, message.indexOf(': '))));
}
