import type { CelFunction, CelNamespace, CelType } from './function.js';
import { accessors } from './functions/accessors.js';
import { patterns } from './functions/patterns.js';
import { Pattern } from './pattern.js';

/** Every function that this floor adds to CEL, in the order of the reference. */
export const FUNCTIONS: readonly CelFunction[] = [...accessors, ...patterns];

export const TYPES: readonly CelType[] = [{ name: 'bylaw.Pattern', constructor: Pattern }];

export const NAMESPACES: readonly CelNamespace[] = [];
