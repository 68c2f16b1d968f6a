/** What a row of any cost export says, in the terms of FOCUS (focus.finops.org, versions 1.0 to 1.4). */
export interface CostRow {
  /** Charge period in milliseconds of UTC, the end not included. */
  start: number;
  end: number;
  /** ISO 4217; empty where the export names none. */
  currency: string;
  /** By the metric that was asked for. */
  cost: number;
  category: ChargeCategory;
  /** ChargeClass is Correction. */
  correction: boolean;
  /** ChargeFrequency is One-Time: the whole charge belongs to the start of its period. */
  oneTime: boolean;
  /** NaN where the export does not say. */
  quantity: number;
  unit: string;
  /** CommitmentDiscountStatus. */
  commitment: 'used' | 'unused' | 'none';
  /** Empty where it names none. */
  resource: string;
  /** In the order of the dimensions that were asked for; empty where the export has no value, and until the reader of the table has added them. */
  dimensions: readonly string[];
}

/** Dimensions that nobody asked for. */
export const NO_DIMENSIONS: readonly string[] = [];

export const CHARGE_CATEGORIES = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] as const;
export type ChargeCategory = (typeof CHARGE_CATEGORIES)[number];

export const METRICS = ['EffectiveCost', 'BilledCost', 'ListCost', 'ContractedCost'] as const;
export type Metric = (typeof METRICS)[number];

/** Why a row cannot be read: the column, and what is wrong with it. Never its value. */
export interface RowFault {
  column: string;
  problem: string;
}
