/**
 * False alarms of a daily series in a year, by threshold.
 * Source: bench/anomalies.ts with --z, both halves of 60 synthetic bills (715 series of 300 days). Bills that behave worse have more.
 */
const MEASURED: readonly (readonly [threshold: number, perYear: number])[] = [
  [3, 0.37],
  [4.5, 0.012],
  [6, 0.0034],
];

/** Between thresholds that were measured it falls by a factor; beyond them it is that of the nearest. */
export function falseAlarmsPerYear(threshold: number): number {
  const next = MEASURED.findIndex(([measured]) => measured >= threshold);
  const [high, low] = [MEASURED[next] ?? MEASURED.at(-1), MEASURED[Math.max(0, next - 1)]];
  if (!high || !low || next < 1) return high?.[1] ?? 0;
  const part = (threshold - low[0]) / (high[0] - low[0]);
  return low[1] * (high[1] / low[1]) ** part;
}
