import type { UnknownValue } from '../undecided.js';
import type { TerraformFacts } from './input/input.js';
import type { JsonObject } from './text/json.js';
import type { Position } from './text/lines.js';
import type { IgnoreComment } from './yaml/ignore-comments.js';

/** Where a resource was read. `document` counts from 0 within the file. */
export interface Source extends Position {
  file: string;
  document: number;
  /** JSON Pointer from the root of the document, where the object is not the root: `/items/0` in a list. */
  pointer?: string;
  /** Whether the object is written in a text at the pointer, such as a value of a ConfigMap. */
  embedded?: true;
  /** What it was rendered from; all positions in it are then those of the first character of the file. */
  rendered?: string;
}

/** One object of the input: a Kubernetes object, or a Terraform or CloudFormation resource with its Terraform type as kind. */
export interface Resource {
  /** `v1`, `apps/v1`, …; for Terraform resources `terraform`. */
  apiVersion: string;
  kind: string;
  /** As written; absent for cluster-scoped objects and where the manifest leaves it out. */
  namespace?: string;
  /** `metadata.name`, else `metadata.generateName`, else the empty string; for Terraform the resource address. */
  name: string;
  object: JsonObject;
  source: Source;
  /** True when the object was fetched from a cluster by this run, never for a file. */
  live?: boolean;
  /**
   * What the resource belongs to, such as a root module or a stack: rules that look at the set see only resources of the same group. Absent: the cluster
   * of the run.
   */
  group?: string;
  /** Terraform only. */
  terraform?: TerraformFacts;
  /** Values that are not known. They are neither absent nor equal to anything: a rule that needs one is undecided. Absent where all are known. */
  unknown?: readonly UnknownValue[];
  /**
   * The place of the deepest existing ancestor of a JSON Pointer into `object`: the key of a mapping entry, the first
   * character of a list item. The empty pointer is the object itself. Never throws.
   * @param line of the text at the pointer, from 1. The place is then the first character of that line in a block scalar (`|`, or `>` as long
   * as no lines were folded), and the start of the value in any other text.
   */
  position(pointer: string, line?: number): Position;
  /** Comments of the form `# bylaw:ignore RULE reason` in the text of this object, with the pointer of the node each one governs. */
  ignoreComments?: readonly IgnoreComment[];
}
