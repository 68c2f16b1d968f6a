import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { FUNCTIONS } from '../functions.js';
import { RUNTIME } from './helpers.js';

/** A compiler of expressions: code that one made runs with just this one. */
export interface CompilerName {
  readonly name: string;
  readonly version: string;
  /** Of all names that code can call, in hexadecimal. */
  readonly digest: string;
}

/** Raised when the same names get another meaning within one version. */
const MEANING = 1;

let known: CompilerName | undefined;

/** The compiler of this process. */
export function compilerName(): CompilerName {
  if (known === undefined) {
    const { helpers, operators, library } = RUNTIME;
    const names = [MEANING, [helpers, operators, library].map(Object.keys), FUNCTIONS.map(({ signature }) => signature)];
    // The package names itself, wherever this file has been bundled.
    const { name, version } = createRequire(import.meta.url)('@bylaw/core/package.json') as { name: string; version: string };
    known = { name, version, digest: hash('sha256', JSON.stringify(names)) };
  }
  return known;
}

/** Whether it is the compiler of this process. */
export function isThisCompiler({ name, version, digest }: CompilerName): boolean {
  const here = compilerName();
  return name === here.name && version === here.version && digest === here.digest;
}
