import { loops } from './macros/loops.js';
import type { Macro } from './macros/macro.js';
import { optionals } from './macros/optionals.js';

/** Every macro that this floor adds to CEL, in the order of the reference. */
export const MACROS: readonly Macro[] = [...loops, ...optionals];
