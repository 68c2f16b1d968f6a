/** Fixing what rules find: from inputs to their new texts. */
export { type EditResult, runEdits } from './example-edits.js';
export type { FileText } from './fix-file.js';
export { type FixRequest, fixInputs, type InputFix } from './fix-inputs.js';
export type { Unfixed } from './fix-resource.js';
export { unifiedDiff } from './unified-diff.js';
