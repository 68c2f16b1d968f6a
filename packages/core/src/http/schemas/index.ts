/** JSON Schemas of what REST and tool answers carry. The OpenAPI document and the descriptions of the tools are made of them. */
export { COMPLIANCE_MAP, HEALTH } from './catalogue.js';
export { COMPARISON, EVALUATION_REPORT, FINDING } from './finding.js';
export { RULE, RULE_LIST } from './rule.js';
