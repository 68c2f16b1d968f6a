/** Finding what costs more or less than expected. */
export type { Anomaly } from './anomaly.js';
export { type Detection, detect } from './detect.js';
export { neededHistory } from './evaluation/evaluate-series.js';
export { falseAlarmsPerYear } from './false-alarms.js';
export { type AnomalyParameters, type PlannedEvent, SENSITIVITIES } from './parameters.js';
export type { SeriesBuckets } from './series-buckets.js';
