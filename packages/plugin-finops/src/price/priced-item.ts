import type { NotKnown } from '@bylaw/core/evaluate';
import type { Provider, Spread } from '@bylaw/core/workload';

/** What runs and has a price. */
export interface PricedItem {
  /** As `resourceId` calls its resource. */
  id: string;
  /** How many units run through the whole month, on average: machines, or vCPUs with 4 GiB. */
  quantity: Spread;
  /** What an hour of a unit costs, in USD, with what idles beside pods. */
  hourPrice: Spread;
  /** Which price was taken. */
  words: string;
  /** The price is one of another region. */
  inferred: boolean;
  provider: Provider;
}

export interface PricedItems {
  items: PricedItem[];
  unpriced: NotKnown[];
  /** About single resources, by what they are called. */
  notes: { id: string; message: string }[];
}
