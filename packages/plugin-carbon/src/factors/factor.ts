/** How well a value is known: told by the caller, measured on the thing itself, modelled from it, taken from something like it, or assumed for all. */
export const FACTOR_CLASSES = ['given', 'measured', 'modelled', 'proxy', 'default'] as const;
export type FactorClass = (typeof FACTOR_CLASSES)[number];

/** A number that an estimate rests on, with the range that holds it nine times in ten, and where it comes from. */
export interface Factor {
  /** With its unit: `grid_g_co2e_per_kwh`. */
  name: string;
  value: number;
  low: number;
  high: number;
  /** Title of the source, with its version. */
  source: string;
  /** Year of the data; null where it does not have one. */
  year: number | null;
  class: FactorClass;
}
