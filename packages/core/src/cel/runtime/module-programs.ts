import { RUNTIME, type Runtime } from './helpers.js';
import type { Precompiled } from './precompiled.js';

/** What a module that `writeModule` wrote exports. */
type Module = (runtime: Runtime) => readonly (readonly [source: string, variables: readonly string[], run: Run, withUnknowns?: Run])[];

type Run = Precompiled['run'];

/** The programs of a module, by their source. @param exported by a module that this version of the compiler wrote */
export function modulePrograms(exported: unknown): ReadonlyMap<string, Precompiled> {
  // As the compiler wrote it: who loads it has compared its digest.
  const programs = (exported as Module)(RUNTIME);
  return new Map(programs.map(([source, variables, run, withUnknowns]) => [source, { run, withUnknowns, variables: new Set(variables) }]));
}
