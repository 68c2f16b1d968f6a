import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What compiles expressions: with the CEL library, some 80 ms of processor time that rules which were compiled ahead of time do without. */
export type Compiler = typeof import('./compiler.js');

let loaded: Compiler | undefined;

/**
 * The compiler, which is loaded when it is first needed. That is in the middle of an evaluation, where nothing can wait, so it is required and not
 * imported; both give the same module. The bundle has an entry of its own for it, because this address names it.
 */
export function compiler(): Compiler {
  // The type of what the path names.
  loaded ??= createRequire(import.meta.url)(fileURLToPath(new URL('./compiler.js', import.meta.url))) as Compiler;
  return loaded;
}
