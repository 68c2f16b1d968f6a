import type { JsonValue } from '../resource/index.js';

/** A number of pods or seconds, where a field holds one. */
export function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 1_000_000 ? value : undefined;
}
