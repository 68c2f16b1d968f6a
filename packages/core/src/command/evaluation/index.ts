/** What commands that evaluate configurations do alike, from their flags to their exit code. */
export type { RunEnd } from '../../report/index.js';
export { type ChangedPart, changedSince } from './changed-since.js';
export { type EvaluationFlags, evaluationFromFlags, inputsAt, type PlaceFlags, placeFromFlags } from './evaluation-flags.js';
export { exitCodeOf, thresholdOf } from './exit-code.js';
export { type RenderingFlags, renderingOf } from './rendering-flags.js';
export { type ReportFlags, writeReport } from './write-report.js';
