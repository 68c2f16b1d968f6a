import type { RecordedRun } from './recorded-run.js';

export const BUCKETS = ['run', 'day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

const DAY = 86_400_000;

/** One run per bucket of UTC time, the last; weeks start on Monday. Takes and gives runs in the order of time. */
export function lastOfBuckets(runs: readonly RecordedRun[], bucket: Bucket): RecordedRun[] {
  if (bucket === 'run') return [...runs];
  const last = new Map<string, RecordedRun>();
  for (const run of runs) last.set(bucketOf(run.recordedAt, bucket), run);
  return [...last.values()];
}

function bucketOf(instant: string, bucket: Exclude<Bucket, 'run'>): string {
  const day = instant.slice(0, 10);
  if (bucket === 'day') return day;
  if (bucket === 'month') return day.slice(0, 7);
  const at = Date.parse(`${day}T00:00:00Z`);
  // 1970-01-01 was a Thursday.
  return String(Math.floor((at / DAY + 3) / 7));
}
