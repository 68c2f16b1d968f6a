import type { InputError } from '../errors.js';
import type { Input } from './input.js';

/** Turns a source of manifests, such as a Helm chart, into the manifests that it stands for. Plugins bring them. */
export interface Renderer {
  /** Short name: `helm`, `kustomize`. */
  name: string;
  /** Whether a file or folder is such a source. `names` are the entries of a folder; absent for a file. Reads nothing. */
  recognises(path: string, names?: readonly string[]): boolean;
  /**
   * Renders one source. Everything that goes wrong is an entry of `errors`, never an exception.
   * @param path absolute
   * @param shown the name under which the user knows it
   */
  render(path: string, shown: string, options: RenderOptions): Promise<Rendered>;
}

export interface RenderOptions {
  /** Files of values for charts, absolute, in the order in which they override each other. */
  values: readonly string[];
  /** Single values for charts, `key=value`, as `helm --set` takes them. */
  set: readonly string[];
  /** Whether a renderer may fetch what a source refers to elsewhere. */
  network: boolean;
  /** Milliseconds for one source. */
  timeoutMs: number;
  /** Bytes that one source may render to. */
  maxBytes: number;
  /** Namespace of the release. */
  namespace: string;
}

export interface Rendered {
  /** The manifests, each under the name of the file that it was made from. Their positions are not those of that file. */
  inputs: readonly Input[];
  errors: readonly InputError[];
  /** Files below the source that it was made from, absolute: they are not read as manifests as well. */
  covers: readonly string[];
}
