export { createEvaluator } from './create.js';
export { CelError, type CompileOptions, type Evaluator, type Program } from './evaluator.js';
export type { CelFunction } from './function.js';
export { FUNCTIONS } from './functions.js';
export type { Macro } from './macros/macro.js';
export { MACROS } from './macros.js';
export { type Origin, originOf } from './origin.js';
export { ResourceSet } from './resource-set.js';
