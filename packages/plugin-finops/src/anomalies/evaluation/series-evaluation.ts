/** A series to be evaluated. Where buckets differ in length, its values are those of a bucket of the usual length. */
export interface WatchedSeries {
  /** Cost of each bucket; NaN is a gap. */
  values: Float64Array;
  /** Slots of a week: 7 for days, 168 for hours; 1 for weeks and months. */
  period: number;
  /** Slot of each bucket, from 0. */
  slots: Uint16Array;
  /** Day of the month from 1, and days to its end, of each bucket; absent where buckets are longer than a day. */
  dayOfMonth?: Uint8Array;
  daysToEnd?: Uint8Array;
  /** Buckets from here on are not final: they are evaluated, but nothing is learnt from them. */
  provisionalFrom: number;
  /** Smallest unit of the currency. */
  minorUnit: number;
}

/** What was found about each bucket. Everything is computed from earlier buckets only, so that it never changes when later ones arrive. */
export interface SeriesEvaluation {
  /** NaN where a bucket is not evaluated. */
  expected: Float64Array;
  /** Scale of the residual: of a logarithm of ratios in `factors` mode, else of a difference relative to the level. */
  scale: Float64Array;
  z: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  /** 1 above, -1 below the threshold, 0 neither. */
  alarm: Int8Array;
  /** Values with alarms and calendar excess taken out, by which later ones are evaluated. */
  clean: Float64Array;
  /** Index at which a new level was accepted: the alarms before it are part of a shift, not a burst. */
  accepted: readonly number[];
  /** Levels that were accepted, and left again for the one before: first and last index. */
  returned: readonly { start: number; end: number }[];
}
