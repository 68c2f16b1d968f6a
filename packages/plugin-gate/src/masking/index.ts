/** Taking secrets out of what is recorded, digested or answered. */
export { exactFinder, exactMasker } from './mask-exact.js';
export { createMasker, type MaskedSubmission, type Masker } from './masker.js';
export { MASKING_RULES_SCHEMA, type MaskingRules, maskingBreaches } from './masking-rules.js';
