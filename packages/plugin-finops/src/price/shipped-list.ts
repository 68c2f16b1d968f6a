import { readFileSync } from 'node:fs';
import { quantile, sorted } from '@bylaw/core/number';
import type { CloudProvider } from '@bylaw/core/workload';
import { type PriceList, regionOf, typeOf } from './price-list.js';

interface ProviderPrices {
  source: { home: string; title: string; url: string; date: string; licence: string };
  /** Name, vCPUs and GiB; 0 where the size is not known. */
  types: readonly (readonly [string, number, number])[];
  /** In the order of the types; 0 where there is none. */
  regions: { readonly [region: string]: readonly number[] };
}

interface PriceData {
  /** How prices of other regions relate to those of the home region: 5 %, 50 % and 95 % of the pairs of type and region of Azure and Google Cloud. */
  elsewhere: { low: number; median: number; high: number };
  providers: { readonly [provider in CloudProvider]: ProviderPrices };
}

/** The list that comes with the plugin: `data/prices.json`, read once. */
export function shippedList(): PriceList {
  list ??= listOf(readData());
  return list;
}

let list: PriceList | undefined;

function readData(): PriceData {
  return JSON.parse(readFileSync(new URL('../../data/prices.json', import.meta.url), 'utf8')) as PriceData; // our own file, of scripts/import-prices.ts
}

function listOf({ providers, elsewhere }: PriceData): PriceList {
  const indexes = new Map<CloudProvider, ReadonlyMap<string, number>>();
  const indexOf = (provider: CloudProvider, type: string) => {
    const index = indexes.get(provider) ?? new Map(providers[provider].types.map(([name], at) => [name, at]));
    indexes.set(provider, index);
    return index.get(typeOf(provider, type));
  };
  const regionOf = (provider: CloudProvider, region: string | undefined) => findRegion(providers[provider], provider, region);
  const inferred = { low: Math.min(1, elsewhere.low), high: elsewhere.high, inferred: true };
  const known = { low: 1, high: 1, inferred: false };
  return {
    hourPrice: (provider, region, type) => {
      const at = indexOf(provider, type);
      if (at === undefined) return undefined;
      const { prices, home, name, own } = regionOf(provider, region);
      const there = prices?.[at] ?? 0;
      const amount = there > 0 ? there : (home[at] ?? 0);
      if (amount === 0) return undefined;
      const certain = there > 0 && own;
      const words = `${typeOf(provider, type)} in ${there > 0 ? name : providers[provider].source.home}, ${amount} USD per hour`;
      return { amount, words, ...(certain ? known : inferred) };
    },
    vcpuPrice: (provider, region) => {
      const { prices, home, name, own } = regionOf(provider, region);
      const { types, source } = providers[provider];
      const there = perVcpu(provider, types, prices ?? []);
      const amounts = sorted(there.length > 0 ? there : perVcpu(provider, types, home));
      const [low, amount, high] = [quantile(amounts, 0.1), quantile(amounts, 0.5), quantile(amounts, 0.9)];
      const certain = there.length > 0 && own;
      const ends = certain ? known : inferred;
      return {
        amount,
        low: (low / amount) * ends.low,
        high: (high / amount) * ends.high,
        words: `general-purpose types in ${there.length > 0 ? name : source.home}, ${amount.toPrecision(3)} (${low.toPrecision(3)} to ${high.toPrecision(3)}) USD per hour for a vCPU with 4 GiB`,
        inferred: !certain,
      };
    },
    sizeOf: (provider, type) => {
      const [, vcpu = 0, memoryGib = 0] = providers[provider].types[indexOf(provider, type) ?? -1] ?? [];
      return vcpu > 0 && memoryGib > 0 ? { vcpu, memoryGib } : undefined;
    },
    homeOf: (provider) => providers[provider].source.home,
    sourceOf: (provider) => {
      const { title, date, licence, url } = providers[provider].source;
      return `${title}, ${date} (${url}, ${licence})`;
    },
  };
}

/** `own` is false where the region is the home of the list only because nobody named one. */
function findRegion({ regions, source: { home } }: ProviderPrices, provider: CloudProvider, region: string | undefined) {
  const has = (name: string) => Object.hasOwn(regions, name);
  const name = region === undefined ? home : regionOf(provider, region, has);
  return { name, prices: has(name) ? regions[name] : undefined, home: regions[home] ?? [], own: region !== undefined };
}

/** Current families for general purposes, without disks of their own and without more network than others. */
const GENERAL: { readonly [provider in CloudProvider]: RegExp } = {
  aws: /^m[5-9](a|g|i)?\.(?!metal)/,
  azure: /^d\d{1,3}[ap]?s?_v[3-9]$/,
  gcp: /^(e2|n1|n2|n2d|n4|c3|c3d|c4|c4a|c4d|t2a|t2d)-standard-\d{1,3}$/,
};

/** Those of them with 4 GiB for each vCPU (3.75 where the family is old). */
function perVcpu(provider: CloudProvider, types: ProviderPrices['types'], prices: readonly number[]): number[] {
  return types.flatMap(([name, vcpu, memoryGib], at) => {
    const price = prices[at] ?? 0;
    const fits = price > 0 && vcpu > 0 && memoryGib / vcpu >= 3.5 && memoryGib / vcpu <= 4.5 && GENERAL[provider].test(name);
    return fits ? [price / vcpu] : [];
  });
}
