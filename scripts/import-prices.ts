/**
 * Writes `packages/plugin-finops/data/prices.json` from the lists of on-demand prices that the Karpenter providers carry: Linux, USD per hour.
 * Sizes of the types come from the plugin for carbon.
 *
 *   node scripts/import-prices.ts [folder with instance-prices]    default ../shared/data
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineOf } from '../packages/plugin-carbon/dist/factors/index.js';

type Provider = 'aws' | 'azure' | 'gcp';

const root = fileURLToPath(new URL('..', import.meta.url));
const from = join(process.argv[2] ?? join(root, '../shared/data'), 'instance-prices');

const LISTS = {
  aws: {
    file: 'aws-on-demand.json',
    home: 'us-east-1',
    title: 'AWS on-demand list prices of us-east-1 and GovCloud, via karpenter-provider-aws, commit 1d927085',
    url: 'https://github.com/aws/karpenter-provider-aws',
    date: '2026-07-20',
    licence: 'Apache-2.0',
  },
  azure: {
    file: 'azure-on-demand.json',
    home: 'eastus',
    title: 'Azure on-demand list prices, via karpenter-provider-azure, commit 352646f5',
    url: 'https://github.com/Azure/karpenter-provider-azure',
    date: '2026-06-18',
    licence: 'Apache-2.0',
  },
  gcp: {
    file: 'gcp-on-demand-and-spot.json',
    home: 'us-central1',
    title: 'Google Cloud on-demand list prices, via karpenter-provider-gcp, commit 417f047b',
    url: 'https://github.com/cloudpilot-ai/karpenter-provider-gcp',
    date: '2026-08-03',
    licence: 'Apache-2.0',
  },
} as const;

const lists = Object.fromEntries((['aws', 'azure', 'gcp'] as const).map((provider) => [provider, listOf(provider)]));
writeFileSync(join(root, 'packages/plugin-finops/data/prices.json'), text());

/** Types with their size, and for each region the prices in the order of the types; 0 means that there is none. */
function listOf(provider: Provider) {
  const { file, ...source } = LISTS[provider];
  const { regions } = JSON.parse(readFileSync(join(from, file), 'utf8')) as { regions: { [region: string]: { [type: string]: number } } };
  const named = Object.entries(regions).map(([region, prices]) => [region, pricesOf(provider, prices)] as const);
  const types = [...new Set(named.flatMap(([, prices]) => [...prices.keys()]))].sort();
  return {
    source,
    types: types.map((type) => {
      const machine = machineOf(provider, type);
      return [type, machine?.vcpu ?? 0, machine?.memoryGib ?? 0] as const;
    }),
    regions: named
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([region, prices]) => [region, types.map((type) => prices.get(type) ?? 0)] as const),
  };
}

/** Without hosts that are sold whole (`_Type1`), and without what is not a price. */
function pricesOf(provider: Provider, prices: { [type: string]: number }): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, price] of Object.entries(prices)) {
    if (!(price > 0) || (provider === 'azure' && /_Type\d+$/i.test(name))) continue;
    found.set(provider === 'azure' ? name.toLowerCase().replace(/^standard_/, '') : name.toLowerCase(), Number(price.toPrecision(6)));
  }
  return found;
}

/** How prices elsewhere relate to those at home, over all types and regions of the two providers whose lists are whole. */
function elsewhere() {
  const ratios: number[] = [];
  for (const provider of ['azure', 'gcp'] as const) {
    const regions = new Map(lists[provider]?.regions);
    const home = regions.get(LISTS[provider].home) ?? [];
    for (const [region, prices] of regions)
      if (region !== LISTS[provider].home)
        prices.forEach((price, at) => {
          const own = home[at] ?? 0;
          if (price > 0 && own > 0) ratios.push(price / own);
        });
  }
  ratios.sort((a, b) => a - b);
  const at = (share: number) => Number((ratios[Math.floor(share * (ratios.length - 1))] ?? 1).toPrecision(3));
  return { low: at(0.05), median: at(0.5), high: at(0.95), pairs: ratios.length };
}

/** A line for each region, so that a change of prices can be read. */
function text(): string {
  const providers = Object.entries(lists).map(([provider, { source, types, regions }]) => {
    const rows = regions.map(([region, prices]) => `    ${JSON.stringify(region)}: ${JSON.stringify(prices)}`);
    return `  ${JSON.stringify(provider)}: {\n   "source": ${JSON.stringify(source)},\n   "types": ${JSON.stringify(types)},\n   "regions": {\n${rows.join(',\n')}\n   }\n  }`;
  });
  return `{\n "currency": "USD",\n "elsewhere": ${JSON.stringify(elsewhere())},\n "providers": {\n${providers.join(',\n')}\n }\n}\n`;
}
