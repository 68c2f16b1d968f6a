/** A number that is known only between two ends. */
export interface Spread {
  low: number;
  central: number;
  high: number;
}

export function exactly(value: number): Spread {
  return { low: value, central: value, high: value };
}
