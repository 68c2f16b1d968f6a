import type { AnswerWarning } from '@bylaw/core/answer';
import type { Period, Provider } from '@bylaw/core/workload';
import type { CarbonItem, Unestimated } from './carbon-item.js';

/** What is the same for all of an input, and what was found while reading it. */
export interface ItemContext extends Period {
  provider: Provider | undefined;
  region: string | undefined;
  /** The machines that pods run on, where neither they nor `nodes` say so, and how many there are. */
  nodeType?: string;
  nodeCount?: number;
  /** Whether the intensity of the electricity is told, so that nothing is assumed of it. */
  gridTold?: boolean;
  /** Whether rows of bills without a physical model are kept, for their money to be made energy of. */
  spendBased?: boolean;
}

export interface ReadItems {
  items: CarbonItem[];
  unestimated: Unestimated[];
  warnings: AnswerWarning[];
}

export const NO_UNIT: CarbonItem['unit'] = { vcpu: 0, memoryGib: 0, gpu: 0, ssdGb: 0, hddGb: 0, networkGb: 0 };
