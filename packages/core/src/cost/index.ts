/** Cost over time, read from requests and from the exports of providers. */
export { COST_ERRORS, type CostErrorCode, costError, costProblems } from './cost-error.js';
export { type CostFile, costFilesAt } from './files.js';
export { costFiles, costTables, usageFiles, usageRows } from './read-cost.js';
export { CHARGE_CATEGORIES, METRICS, type Metric } from './rows/cost-row.js';
export { CsvError, CsvRecords } from './rows/csv-records.js';
export { rowsOfJson } from './rows/row-objects.js';
export type { UsageRow } from './rows/usage-row.js';
export { COST_INPUT_SCHEMA, type CostInput, MOST_AMOUNT, ONE_COST_INPUT, type PlainSeries } from './table/cost-input.js';
export { type CostLeaf, type CostTable, type CostWarning, GRANULARITIES, type Granularity } from './table/cost-table.js';
export { SETTLE_DAYS } from './table/time-line.js';
export { keysAndValues } from './values/tags.js';
export { hoursOfDays, hoursOfWeek } from './values/wall-clock.js';
export { costBody, wholeText } from './whole-text.js';
