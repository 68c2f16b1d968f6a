import { loops } from './loops.js';
import type { Macro } from './macro.js';
import { optionals } from './optionals.js';

/** Every macro that this floor adds to CEL, in the order of the reference. */
export const MACROS: readonly Macro[] = [...loops, ...optionals];
