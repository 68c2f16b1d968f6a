export const ANOMALY_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type AnomalySeverity = (typeof ANOMALY_SEVERITIES)[number];

/** By how many times the least amount worth reporting is passed, and by the part of the expected cost. */
export function severityOf(impact: number, percent: number | null, least: number): AnomalySeverity {
  const times = Math.abs(impact) / Math.max(least, Number.MIN_VALUE);
  // Where nothing was expected, any cost is beyond all percentages.
  const share = percent === null ? Number.POSITIVE_INFINITY : Math.abs(percent);
  if (times >= 100 && share >= 100) return 'CRITICAL';
  if (times >= 20 && share >= 30) return 'HIGH';
  return times >= 5 ? 'MEDIUM' : 'LOW';
}
