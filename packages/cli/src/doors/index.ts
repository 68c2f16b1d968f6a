/** The functions that commands, REST routes and tools share. */

export type { Doors } from './doors.js';
export { localDoors } from './local.js';
export { getRule, type RuleDocument } from './rule-document.js';
export { listRules, type RuleList, type RuleQuery, type RuleSummary } from './rule-list.js';
