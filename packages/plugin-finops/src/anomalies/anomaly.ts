import type { CauseKind } from './causes.js';
import type { AnomalyKind } from './find-events.js';

/** Something that costs more or less than expected, as answers show it. Amounts are in units of `currency`. */
export interface Anomaly {
  /** The same whenever the same event is found, so that a caller can update instead of duplicate. */
  id: string;
  monitor: readonly string[];
  dimensions: { readonly [name: string]: string };
  currency: string;
  start: string;
  end: string;
  status: 'closed' | 'open' | 'provisional' | 'planned';
  direction: 'up' | 'down';
  kind: AnomalyKind;
  severity: AnomalySeverity;
  actual: number;
  expected: number;
  /** What the whole event might have cost without being one: the bounds of its buckets, added up. */
  lower: number;
  upper: number;
  impact: number;
  /** Null where nothing was expected. */
  impact_percent: number | null;
  /** The furthest bucket, in usual residuals, and its chance; null where a series begins or ends, which is not a matter of distance. */
  z: number | null;
  p_value: number | null;
  detected_on: string;
  causes: { kind: CauseKind; share: number; amount: number }[];
  drivers: {
    dimensions: { readonly [name: string]: string };
    share: number;
    score: number;
    actual: number;
    expected: number;
    resources: { id: string; amount: number }[];
  }[];
  explanation: string;
  /** Note of the planned event, where it is one. */
  planned?: string;
  /** Identifiers of anomalies of other monitors that this one explains. */
  covers: string[];
}

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
