/** Finding what costs more or less than expected. */
export { type Anomaly, type Detection, detect, type SeriesBuckets } from './detect.js';
export { type AnomalyParameters, type PlannedEvent, SENSITIVITIES } from './parameters.js';
