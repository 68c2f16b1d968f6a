import { BylawError } from '../errors.js';
import type { Resource } from '../resource/index.js';
import type { Place } from '../workload/index.js';

/** What plugins add to a comparison, by the names of the members. A month has 730 hours. */
export interface ComparisonAdditions {
  carbon?: CarbonDifference | Unavailable;
  cost?: CostDifference | Unavailable;
}

export const COMPARISON_ADDITIONS = ['carbon', 'cost'] as const satisfies readonly (keyof ComparisonAdditions)[];

/** Why a member that a plugin adds could not be made. */
export interface Unavailable {
  unavailable: string;
}

/** The central estimate, and the ends of the range that holds 90 %. */
export interface EmissionRange {
  p5: number;
  central: number;
  p95: number;
}

/** Emissions of a month, in kg CO2e with 6 significant digits. */
export interface CarbonDifference {
  period_hours: number;
  current_kg_co2e: EmissionRange;
  proposed_kg_co2e: EmissionRange;
  /** Proposed less current, both at the same values of what is uncertain: what is not known of both cancels out. */
  delta_kg_co2e: EmissionRange;
  /** Of the current; null where that is nothing. */
  percent: EmissionRange | null;
  /** Share of the cases in which the proposal emits less. */
  probability_lower: number;
  /** What differs, the largest first, and how many there are in all. */
  per_item: { id: string; delta_kg_co2e: EmissionRange }[];
  per_item_total: number;
  /** What differs and cannot be estimated. */
  unestimated: NotKnown[];
  unestimated_total: number;
  warnings: string[];
  sources: string[];
}

/** What is between the ends when prices, and how full the nodes are, are at the ends of their ranges for all alike. */
export interface MoneyRange {
  amount: number;
  currency: string;
  low: number;
  high: number;
}

/** List prices of a month, 6 decimals. */
export interface CostDifference {
  period_hours: number;
  current: MoneyRange;
  proposed: MoneyRange;
  /** Proposed less current. */
  delta: MoneyRange;
  /** Of the current amount; null where that is nothing. */
  percent: number | null;
  per_item: { id: string; delta: MoneyRange; price: string }[];
  per_item_total: number;
  /** What differs and has no known price. */
  unpriced: NotKnown[];
  unpriced_total: number;
  warnings: string[];
  sources: string[];
}

export interface NotKnown {
  id: string;
  reason: string;
}

/** Both sides as they were read, and where they run. */
export interface ComparedSides {
  current: readonly Resource[];
  proposed: readonly Resource[];
  place: Place;
}

/** Makes one member of a comparison. Pure. @throws {BylawError} whose message may be shown, when it cannot */
export type Comparer<M extends keyof ComparisonAdditions = keyof ComparisonAdditions> = (
  sides: ComparedSides,
) => Promise<NonNullable<ComparisonAdditions[M]>>;

/** A comparer with the name of its member. */
export interface NamedComparer {
  member: keyof ComparisonAdditions;
  compare: Comparer;
}

/** All of them, by name. One that fails says so in its member, and takes nothing else with it. */
export async function additionsOf(comparers: readonly NamedComparer[], sides: ComparedSides): Promise<ComparisonAdditions> {
  const additions: { [member: string]: unknown } = {};
  for (const { member, compare } of comparers) {
    try {
      additions[member] = await compare(sides);
    } catch (error) {
      additions[member] = { unavailable: reasonOf(error) };
    }
  }
  return additions as ComparisonAdditions; // each comparer makes its own member
}

/** The message of an error that nobody foresaw may hold the input; its name does not. */
function reasonOf(error: unknown): string {
  if (!(error instanceof BylawError)) return `The plugin could not compute it${error instanceof Error ? ` (${error.name})` : ''}.`;
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
