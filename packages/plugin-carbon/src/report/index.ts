/** Reports of what was emitted: by group, against a baseline and a target, with what would emit less. */
export { DIMENSIONS } from './groups.js';
export { type RenderedReport, report } from './render.js';
export { type MadeReport, makeReport } from './report.js';
export {
  type CarbonReport,
  type EstimateSource,
  type Grouping,
  type Period,
  REDUCTION_KINDS,
  REPORT_FORMATS,
  type Reduction,
  type ReportFormat,
  type ReportRequest,
  type ReportTarget,
  type SavedEstimate,
} from './types.js';
