import type { Envelope } from '@bylaw/core/answer';
import type { Provider } from '@bylaw/core/workload';
import type { CarbonEstimate, EstimateRequest, EstimateTotal, ItemEnergy, Ranged } from '../estimate/index.js';
import type { ItemSource, Unestimated } from '../items/index.js';

export const REPORT_FORMATS = ['json', 'csv', 'html', 'impact-framework'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** From the first instant to before the second; days or instants of UTC, ISO 8601. */
export interface Period {
  start: string;
  end: string;
}

/** What is computed now, or what was computed before: a saved answer is known by its `schema`. */
export type EstimateSource = SavedEstimate | Omit<EstimateRequest, 'compare'>;

/** The part of an answer of `carbon estimate` that a report rests on. */
export type SavedEstimate = Pick<CarbonEstimate, 'schema' | 'period_hours' | 'total' | 'items' | 'unestimated'> & Partial<CarbonEstimate>;

/** The members of an estimate, or one of `estimate` and `periods` in their place. */
export interface ReportRequest extends Omit<EstimateRequest, 'compare'> {
  estimate?: EstimateSource;
  periods?: readonly (Period & { estimate: EstimateSource })[];
  period?: Period;
  format?: ReportFormat;
  /** Dimensions, or `tag:` and the name of a tag. */
  group_by?: readonly string[];
  baseline?: EstimateSource;
  target?: ReportTarget;
  title?: string;
}

/** At most so many kilograms, or so many percent less than the baseline. */
export type ReportTarget = { kg_co2e: number } | { percent: number };

/** The answer; energy in kWh, masses in kg CO2e, 6 significant digits. */
export interface CarbonReport extends Envelope {
  schema: 'carbon.report/v1';
  title: string;
  periods: ReportPeriod[];
  total: EstimateTotal;
  /** Only where every period is of units of one name. */
  sci?: ReportSci;
  scopes: ScopeLine[];
  groups: Grouping[];
  top_items: TopItem[];
  /** Only with a baseline. */
  change?: Change;
  /** Only with a target. */
  target?: TargetResult;
  /** Each alone: they overlap, and must not be added up. Null where they cannot be looked for. */
  reductions: Reduction[] | null;
  uncertainty: { level: 90; samples: number | null; causes: Cause[] };
  method: string[];
  factors: UsedFactor[];
  unestimated: Unestimated[];
  not_counted: string[];
  attribution: string[];
}

export interface ReportPeriod {
  start: string | null;
  end: string | null;
  hours: number;
  items: number;
  kg_co2e: Ranged;
  energy_kwh: Ranged;
}

/** Software Carbon Intensity (ISO/IEC 21031): grams per functional unit. */
export interface ReportSci {
  value_g: number;
  p5: number;
  p95: number;
  functional_unit: string;
}

/** A line of an inventory by the GHG Protocol. Ends are null where a saved answer does not say them. */
export interface ScopeLine {
  scope: 2 | 3;
  category: 1 | 2 | null;
  name: string;
  /** Of electricity, location-based. */
  kg_co2e: { p5: number | null; central: number; p95: number | null };
  /** Of electricity, by what was bought; null where that is not known, or the line holds no electricity. */
  market_based_kg_co2e: number | null;
}

export interface Grouping {
  by: string;
  rows: GroupRow[];
}

export interface GroupRow {
  name: string;
  items: number;
  kg_co2e: Ranged;
  operational: number;
  embodied: number;
  energy_kwh: number;
  /** Of the total, in percent. */
  share_percent: number;
}

export interface TopItem {
  id: string;
  provider: Provider;
  region: string;
  instance_type: string | null;
  kg_co2e: Ranged;
  energy_kwh: number;
  share_percent: number;
}

/** Now minus the baseline. The four effects add up to the central difference. */
export interface Change {
  baseline_kg_co2e: Ranged;
  delta_kg_co2e: Ranged;
  percent: number | null;
  /** Share of the points at which there is less now; null without points. */
  probability_lower: number | null;
  effects: { activity: number; efficiency: number; grid: number; embodied: number };
  items: { new: number; gone: number; both: number };
  /** Those that changed most. */
  largest: { id: string; delta_kg_co2e: number; activity: number; efficiency: number; grid: number; embodied: number }[];
}

export interface TargetResult {
  kg_co2e: number;
  /** As told; null where kilograms were. */
  percent: number | null;
  met: boolean;
  /** Above the target where positive. */
  distance_kg_co2e: number;
  /** Of what is emitted now. */
  required_reduction_percent: number;
  /** Share of the points at which it is met; null without points. */
  probability_met: number | null;
}

export const REDUCTION_KINDS = ['region', 'arm', 'right-size', 'schedule'] as const;

export interface Reduction {
  kind: (typeof REDUCTION_KINDS)[number];
  title: string;
  from: string;
  to: string;
  /** Those it is about. */
  items: string[];
  delta_kg_co2e: Ranged;
  /** Of the total of the period. */
  percent_of_total: number;
  probability_lower: number;
  /** What it takes, and what is not looked at. */
  note: string;
}

/** The total where a factor is among its lowest and among its highest tenth. */
export interface Cause {
  factor: string;
  low_kg_co2e: number;
  high_kg_co2e: number;
}

/** The same factor of all items. */
export interface UsedFactor {
  name: string;
  source: string;
  year: number | null;
  licence: string | null;
  class: string;
  /** Smallest and largest over the items. */
  least: number;
  most: number;
  items: number;
}

/** An item of a period, whichever way it came. Numbers are as exact as their source. */
export interface Entry {
  id: string;
  source: ItemSource;
  provider: Provider;
  region: string;
  instanceType: string | null;
  groups: { readonly [name: string]: string };
  /** Index of the period. */
  period: number;
  /** Unit-hours, or GB-hours of disks alone, or GB of transfer alone, or money where that is all that is known. */
  activity: number;
  energy: ItemEnergy;
  energyKwh: number;
  operational: number;
  embodied: number;
  /** By the mean of the grid: `operational`, unless that is marginal. */
  locationBased: number;
  factors: readonly { name: string; value: number; source: string; year: number | null; class: string }[];
}
