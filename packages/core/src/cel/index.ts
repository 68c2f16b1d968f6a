export { createEvaluator } from './create.js';
export { CelError, type CompileOptions, type Evaluator, type Program } from './evaluator.js';
