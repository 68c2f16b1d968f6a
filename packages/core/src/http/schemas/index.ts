/** JSON Schemas of what REST and tool answers carry. The OpenAPI document and the descriptions of the tools are made of them. */
export { COMPLIANCE_MAP, COMPLIANCE_REPORT, HEALTH } from './catalogue.js';
export { type AddedMember, comparisonSchema } from './comparison.js';
export { ENVELOPE } from './envelope.js';
export { EVALUATION_REPORT, FINDING, REPORT_MEMBERS } from './finding.js';
export { list, number, object, oneOfText, text, whole } from './json-schema.js';
export { RULE, RULE_LIST } from './rule.js';
