import type { CostTable } from '@bylaw/core/cost';
import { bucketsIn } from '../series/time-axis.js';
import type { Anomaly } from './anomaly.js';
import { anomalyOf } from './anomaly-of.js';
import { candidateOf } from './candidate.js';
import { neededHistory } from './evaluation/evaluate-series.js';
import { type FoundEvent, findEvents } from './find-events.js';
import { type WatchedGroup, watchedGroups } from './group-series.js';
import { mergedEvents } from './merge-candidates.js';
import type { AnomalyParameters } from './parameters.js';
import { bucketsOf, type SeriesBuckets } from './series-buckets.js';
import { TableEvaluator } from './table-evaluator.js';

export interface Detection {
  /** In the order of time. */
  anomalies: Anomaly[];
  /** Every bucket of every watched series, where it was asked for. */
  series: SeriesBuckets[];
  counts: { series: number; buckets: number; too_short: number; gaps: number };
}

/**
 * Looks at a table through every monitor. Pure: what it says of a bucket rests on earlier buckets alone. All of them are evaluated, those of the last
 * `history_days` are reported: so the window does not move the result for a day in it.
 */
export function detect(table: CostTable, parameters: AnomalyParameters): Detection {
  const { monitors, min_impact, threshold_z, history_days, include_buckets, max_drivers } = parameters;
  const from = Math.max(0, table.buckets.length - bucketsIn(history_days, table.granularity));
  const evaluator = new TableEvaluator(table, threshold_z);
  const groups = monitors.flatMap((monitor) => watchedGroups(table, monitor, min_impact.amount));
  const counts = { series: groups.length, buckets: 0, too_short: 0, gaps: 0 };
  const found: { event: FoundEvent; group: WatchedGroup }[] = [];
  const series: SeriesBuckets[] = [];
  for (const group of groups) {
    const evaluated = evaluator.evaluate(group.values);
    const [leaf] = group.leaves;
    if (leaf?.cost === group.values) evaluator.remember(leaf, evaluated);
    const { known, gaps } = countsOf(group.values.subarray(from));
    counts.buckets += known;
    counts.gaps += gaps;
    if (countsOf(group.values).known <= neededHistory(evaluator.axis.period).first) counts.too_short += 1;
    if (include_buckets) series.push(bucketsOf(group, evaluated, table, from));
    for (const event of findEvents(group.values, evaluated, table, parameters))
      if (event.end >= Math.max(from, group.watchedFrom)) found.push({ event, group });
  }
  const candidates = found.map(({ event, group }) => candidateOf(event, group, table, evaluator, max_drivers));
  const anomalies = mergedEvents(candidates).map((event) => anomalyOf(event, table, parameters));
  return { anomalies: anomalies.sort(byTime), series, counts };
}

/** Buckets with a value, and those without one between them. */
function countsOf(values: Float64Array): { known: number; gaps: number } {
  let [known, first, last] = [0, -1, -1];
  for (const [at, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    known += 1;
    if (first < 0) first = at;
    last = at;
  }
  return { known, gaps: known === 0 ? 0 : last - first + 1 - known };
}

function byTime(a: Anomaly, b: Anomaly): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : a.id < b.id ? -1 : 1;
}
