import * as loaded from './compiler.js';

/** Takes the place of `compiler-loader.ts` under vitest, which runs modules of its own making: `require` would load everything a second time. */
export function compiler(): typeof loaded {
  return loaded;
}
