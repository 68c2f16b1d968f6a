import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { minorUnit } from '../series/minor-unit.js';
import { type TimeAxis, timeAxis } from '../series/time-axis.js';
import type { LeafShare } from './drivers.js';
import { evaluateSeries } from './evaluation/evaluate-series.js';
import type { SeriesEvaluation } from './evaluation/series-evaluation.js';
import type { FoundEvent } from './find-events.js';

/** What is kept of a leaf: tables have many. */
type LeafEvaluation = Pick<SeriesEvaluation, 'expected' | 'clean' | 'returned'>;

/** Evaluates series of one table: groups of its leaves, and, when an event asks for it, each of its leaves once. */
export class TableEvaluator {
  readonly axis: TimeAxis;
  readonly #minorUnit: number;
  readonly #leaves = new Map<CostLeaf, LeafEvaluation>();

  constructor(
    private readonly table: CostTable,
    private readonly threshold: number,
  ) {
    this.axis = timeAxis(table.buckets, table.granularity, table.timezone);
    this.#minorUnit = minorUnit(table.currency);
  }

  /** @param values cost of each bucket of the table; NaN is a gap */
  evaluate(values: Float64Array): SeriesEvaluation {
    const { provisionalFrom } = this.table;
    const { lengths, ...axis } = this.axis;
    const series = { provisionalFrom, minorUnit: this.#minorUnit, ...axis };
    if (!lengths) return evaluateSeries({ values, ...series }, this.threshold);
    // A day of 25 hours, or a month of 31 days, costs more than a usual one and is not more expensive.
    const evaluated = evaluateSeries({ values: values.map((value, at) => value / (lengths[at] ?? 1)), ...series }, this.threshold);
    for (const column of [evaluated.expected, evaluated.lower, evaluated.upper, evaluated.clean])
      for (const [at, length] of lengths.entries()) column[at] = (column[at] ?? Number.NaN) * length;
    return evaluated;
  }

  /** What a leaf cost over the time of an event, and what was expected of it. */
  share(leaf: CostLeaf, { start, end }: FoundEvent): LeafShare {
    const evaluated = this.#evaluated(leaf);
    let [actual, expected] = [0, 0];
    for (let at = start; at <= end; at++) {
      actual += leaf.cost[at] || 0;
      // A level that was left again was not a new one: what is expected is the one before.
      const gone = evaluated.returned.some((one) => one.start <= at && one.end >= at);
      const value = (gone ? evaluated.clean : evaluated.expected)[at] ?? Number.NaN;
      expected += Number.isNaN(value) ? usual(evaluated.clean, start) : value;
    }
    return { leaf, actual, expected };
  }

  /** Keeps the evaluation of a leaf, so that it is made once. */
  remember(leaf: CostLeaf, { expected, clean, returned }: SeriesEvaluation): LeafEvaluation {
    const kept = { expected, clean, returned };
    this.#leaves.set(leaf, kept);
    return kept;
  }

  #evaluated(leaf: CostLeaf): LeafEvaluation {
    const known = this.#leaves.get(leaf);
    if (known) return known;
    return this.remember(leaf, this.evaluate(leaf.cost));
  }
}

/** What a leaf with too short a history cost before: the mean of its last values. */
function usual(clean: Float64Array, start: number): number {
  let [sum, count] = [0, 0];
  for (let at = Math.max(0, start - LAST_VALUES); at < start; at++) {
    const value = clean[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

const LAST_VALUES = 14;
