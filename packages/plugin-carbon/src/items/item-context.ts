import type { AnswerWarning } from '@bylaw/core/answer';
import type { Provider } from '../factors/index.js';
import type { CarbonItem, Spread, Unestimated } from './carbon-item.js';

/** What is the same for all of an input, and what was found while reading it. */
export interface ItemContext {
  provider: Provider | undefined;
  region: string | undefined;
  periodHours: number;
  /** How long a pod of a Job runs. */
  jobMinutes: Spread;
}

export interface ReadItems {
  items: CarbonItem[];
  unestimated: Unestimated[];
  warnings: AnswerWarning[];
}

export function exactly(value: number): Spread {
  return { low: value, central: value, high: value };
}

export const NO_UNIT: CarbonItem['unit'] = { vcpu: 0, memoryGb: 0, gpu: 0, ssdGb: 0, hddGb: 0, networkGb: 0 };
