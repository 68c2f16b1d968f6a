import type { Assumptions, ItemEstimation } from '../../estimate/index.js';
import type { CarbonItem } from '../../items/index.js';
import type { Reduction } from '../types.js';

/** What could be done, before it is known what it saves. */
export interface Proposal extends Pick<Reduction, 'kind' | 'title' | 'from' | 'to' | 'note'> {
  /** Each with what would run in its place: several, where a part of it stays as it is. */
  replaced: readonly { item: CarbonItem; by: readonly CarbonItem[] }[];
}

/** What runs, and how it was estimated. */
export interface Situation {
  estimations: readonly ItemEstimation[];
  assumptions: Assumptions;
  periodHours: number;
}

/** Items for which the same is proposed are one proposal. */
export function grouped<T extends { key: string }>(found: readonly T[]): [T, ...T[]][] {
  return [...Map.groupBy(found, ({ key }) => key).values()].flatMap(([first, ...rest]) => (first === undefined ? [] : [[first, ...rest]]));
}
