import { secondsOf } from '../../number/index.js';
import type { CelFunction } from '../function.js';
import { textOrEmpty } from '../standard/values.js';

/** Durations as Go and Kubernetes write them. */
export const durations: readonly CelFunction[] = [
  {
    signature: 'seconds(dyn, dyn): dyn',
    summary: 'The seconds in a duration string (`1h30m`, `2400h`, `0`); the second argument for any other value.',
    example: 'seconds("1h30m", -1) == 5400 && seconds("soon", -1) == -1 && seconds({}.?d, 0) == 0 && seconds("1.5s", 0) == 1.5',
    call: (text: unknown, otherwise: unknown) => secondsOf(textOrEmpty(text)) ?? otherwise,
  },
];
