import { median } from '@bylaw/core/number';
import type { CloudProvider } from '@bylaw/core/workload';
import type { OwnPrices } from './price-file.js';
import { type HourPrice, type PriceList, regionOf, typeOf } from './price-list.js';

/** The list with the prices of the user before it. */
export function listWith(own: OwnPrices, list: PriceList): PriceList {
  const regionName = (provider: CloudProvider, region: string | undefined) =>
    region === undefined ? '' : regionOf(provider, region, (name) => own.has(name));
  const find = (region: string, type: string) => own.get(region)?.get(type) ?? own.get('')?.get(type);
  return {
    ...list,
    hourPrice: (provider, region, type) => {
      const place = regionName(provider, region);
      const amount = find(place, type.trim().toLowerCase()) ?? find(place, typeOf(provider, type));
      if (amount === undefined) return list.hourPrice(provider, region, type);
      const where = place === '' ? '' : ` in ${place}`;
      return {
        amount,
        low: 1,
        high: 1,
        inferred: false,
        words: `${typeOf(provider, type)}${where}, ${amount} USD per hour from the price file`,
      };
    },
    vcpuPrice: (provider, region) => scaled(own.get(regionName(provider, region)), provider, list) ?? list.vcpuPrice(provider, region),
    sourceOf: (provider) => `the configured price file, and for prices that it does not include: ${list.sourceOf(provider)}`,
  };
}

/** As many types say how prices of a region relate to those of another. */
const ENOUGH = 3;

/** The price at home, by the median of how the prices of the region relate to those at home. */
function scaled(prices: ReadonlyMap<string, number> | undefined, provider: CloudProvider, list: PriceList): HourPrice | undefined {
  const home = list.homeOf(provider);
  const ratios = [...(prices ?? [])].flatMap(([type, price]) => {
    const there = list.hourPrice(provider, home, type);
    return there === undefined ? [] : [price / there.amount];
  });
  if (ratios.length < ENOUGH) return undefined;
  const ratio = median(ratios);
  const { amount, words, ...ends } = list.vcpuPrice(provider, home);
  return { ...ends, amount: amount * ratio, words: `${words}, multiplied by ${ratio.toPrecision(3)} from the price file` };
}
