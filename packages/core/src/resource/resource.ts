import type { UnknownValue } from '../undecided.js';
import type { FileUse } from './input.js';

/** A JSON value as the readers make it: plain objects, arrays and scalars; members that were null are absent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A place in a source text. Both count from 1; the column counts UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** Where a resource was read. `document` counts from 0 within the file. */
export interface Source extends Position {
  file: string;
  document: number;
  /** JSON Pointer from the root of the document, where the object is not the root: `/items/0` in a list. */
  pointer?: string;
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

/** What Terraform says about a resource beside the values of its arguments. */
export interface TerraformFacts {
  mode: 'managed' | 'data';
  /** `aws_s3_bucket`, without the `data.` that the kind of a data source has. */
  type: string;
  /** Source address of the provider, with its host; empty where the plan does not say. */
  provider: string;
  /** Address of the module that holds it; empty for the root module. */
  module: string;
  /** Region of its provider, where the configuration of the root module has it as a constant. */
  region?: string;
  /** Address, without indices, of the template that a group starts its machines from, where the configuration refers to one. */
  template?: string;
}

export interface IgnoreComment {
  ruleId: string;
  /** Empty when none was given: such a comment is refused with an error. */
  reason: string;
  /** The node it governs, with everything below it; the empty pointer is the whole object. */
  pointer: string;
  position: Position;
}

/** One document of a file, not yet parsed. */
export interface SourceDocument {
  file: string;
  /** Counts from 0 within the file. */
  index: number;
  text: string;
  /** The line of the file on which `text` starts, from 1. */
  line: number;
  /** The column on which `text` starts, from 1, where it is not the first: a JSON value that follows another on its line. */
  column?: number;
  /** What a kustomization uses its file for. Absent: its file holds manifests, as far as is known. */
  use?: FileUse;
  /** What the text was rendered from. */
  rendered?: string;
  /** The group of the resources in it, see `Resource.group`. */
  group?: string;
}
