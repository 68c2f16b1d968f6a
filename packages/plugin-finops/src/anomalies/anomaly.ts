import type { CauseKind } from './causes.js';
import type { AnomalyKind } from './find-events.js';
import type { AnomalySeverity } from './severity.js';

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
