import type { InputError } from '../../errors.js';
import type { Input } from '../input/input.js';

/** Turns a source of manifests, such as a Helm chart, into the manifests that it stands for. Plugins bring them. */
export interface Renderer {
  /** Short name: `helm`, `kustomize`. */
  name: string;
  /** Whether a folder with files of these names, or without names a file that the user named, is such a source. Reads nothing. */
  recognises(path: string, names?: readonly string[]): boolean;
  /** Of the sources of one walk, those to be rendered on their own: what another of them uses is rendered as a part of that. Absent: all. */
  roots?(sources: readonly string[]): Promise<readonly string[]>;
  /**
   * Renders one source. Everything that goes wrong is an entry of `errors`, never an exception.
   * @param path absolute and real
   * @param shown the name under which the user knows it
   */
  render(path: string, shown: string, options: RenderOptions): Promise<Rendered>;
}

/** What a command says about rendering. Absent members leave it to the configuration of the renderer. */
export interface RenderOptions {
  /** Whether a renderer may fetch what a source refers to elsewhere. */
  network: boolean;
  /** The folder that the user named, absolute and real: links are followed within it and its Git repository. Absent: the source itself. */
  root?: string;
  /** Namespace of the release of a chart. */
  namespace: string;
  /** Name of the release of a chart. */
  release?: string;
  /** Files of values for charts, absolute, in the order in which they override each other. */
  values?: readonly string[];
  /** Single values for charts as `helm --set` takes them, `key=value`. */
  set?: readonly string[];
  /** The same, as `helm --set-string` takes them. */
  setString?: readonly string[];
  /** Version of Kubernetes that charts are told, such as `1.34`. */
  kubeVersion?: string;
  /** Further API versions that charts are told the cluster has. */
  apiVersions?: readonly string[];
}

export interface Rendered {
  /** The manifests, each under the name of the file that it was made from, and with the name of the source in `rendered`. */
  inputs: readonly Input[];
  errors: readonly InputError[];
  /** Files whose objects are in the manifests, and patches that were applied to them, absolute: they are not read as well. Empty if rendering failed. */
  covers: readonly string[];
  /** Files that the manifests hold as data, such as the values of a ConfigMap, absolute. Only objects in them are evaluated. Absent: none. */
  data?: readonly string[];
  /** Files that the program passed over although they may hold manifests, absolute: templates of a library chart. Absent: none. */
  leftOut?: readonly string[];
  /** Files and folders that decide what is rendered, absolute; nothing else does. Absent if that is not known. */
  madeFrom?: readonly string[];
}

/** How the inputs of a command are rendered. */
export interface Rendering {
  renderers: readonly Renderer[];
  options: RenderOptions;
}
