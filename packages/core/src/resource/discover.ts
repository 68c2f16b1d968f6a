import type { InputError } from '../errors.js';
import type { Input } from './input.js';

export interface DiscoverOptions {
  /** Relative paths and patterns start here. */
  cwd: string;
  /** Standard input, for the path `-`. */
  stdin?: () => AsyncIterable<Uint8Array>;
}

export interface Discovery {
  inputs: Input[];
  errors: InputError[];
}

export async function discoverInputs(_paths: readonly string[], _options: DiscoverOptions): Promise<Discovery> {
  return { inputs: [], errors: [] };
}
