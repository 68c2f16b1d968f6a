/** Cost over time, read from requests and from the exports of providers. */
export { COST_ERRORS, type CostErrorCode, costError, costProblems } from './cost-error.js';
export { COST_INPUT_SCHEMA, type CostInput, MOST_AMOUNT, ONE_COST_INPUT, type PlainSeries } from './cost-input.js';
export { CHARGE_CATEGORIES, METRICS, type Metric } from './cost-row.js';
export { type CostLeaf, type CostTable, type CostWarning, GRANULARITIES, type Granularity } from './cost-table.js';
export { CsvError, CsvRecords } from './csv-records.js';
export { costFilesAt } from './files.js';
export { type CostFile, costFiles, costTables, usageFiles, usageRows } from './read-cost.js';
export { rowsOfJson } from './row-objects.js';
export { keysAndValues } from './tags.js';
export { SETTLE_DAYS } from './time-line.js';
export type { UsageRow } from './usage-row.js';
export { hoursOfDays, hoursOfWeek } from './wall-clock.js';
export { costBody, wholeText } from './whole-text.js';
