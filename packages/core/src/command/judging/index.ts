/** What commands that evaluate configurations do alike, from their flags to their exit code. */
export { type ChangedPart, changedSince } from './changed-since.js';
export { exitCodeOf, thresholdOf } from './exit-code.js';
export { inputsAt, type JudgingFlags, judgingOf } from './judging-flags.js';
export { type PlaceFlags, placeFromFlags } from './place-flags.js';
export { type RenderingFlags, renderingOf } from './rendering-flags.js';
export { type ReportFlags, type RunEnd, writeReport } from './write-report.js';
