import { groupDigits } from '../plural.js';

const LARGEST = 1e15;
const SMALLEST = 1e-4;

/** Names of large numbers on an axis. */
const UNITS = [
  { worth: 1e12, name: 'T' },
  { worth: 1e9, name: 'B' },
  { worth: 1e6, name: 'M' },
] as const;

/** `1,235`, `12.35`, `0.0123`, `1.23e+18`, a dash where there is no number; the same in every locale. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= LARGEST || size < SMALLEST) return value.toExponential(2);
  if (size >= 1) return groupDigits(size >= 1000 ? value.toFixed(0) : String(Number(value.toFixed(2))));
  return String(Number(value.toPrecision(3)));
}

/** A difference with its sign and three significant digits: `+12.4`, `-0.0012`, `0`. */
export function signedText(value: number): string {
  return `${value > 0 ? '+' : ''}${formatNumber(Number(value.toPrecision(3)))}`;
}

/** `+12.4 (+5.1 to +21.3)`, or the central value alone where the range has no width. */
export function rangeText(central: string, low: string, high: string): string {
  return low === high ? central : `${central} (${low} to ${high})`;
}

/** Texts of ticks of one axis: all with the same unit and the same decimals. */
export function tickTexts(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) || largest;
  if (largest >= LARGEST || (largest > 0 && largest < SMALLEST)) return ticks.map((tick) => (tick === 0 ? '0' : tick.toExponential(1)));
  const unit = UNITS.find(({ worth }) => largest >= worth) ?? { worth: 1, name: '' };
  const digits = step === 0 ? 0 : Math.min(10, Math.max(0, Math.ceil(-Math.log10(step / unit.worth) - 1e-9)));
  return ticks.map((tick) => (tick === 0 ? '0' : `${groupDigits((tick / unit.worth).toFixed(digits))}${unit.name && ` ${unit.name}`}`));
}
