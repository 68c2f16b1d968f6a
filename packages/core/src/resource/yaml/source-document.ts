import type { InputError } from '../../errors.js';

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

/**
 * A patch may be a part of an object, about which a rule would be wrong: only whole objects in it are evaluated, and the rest is reported. The values of a
 * ConfigMap are `data`: only objects in them are evaluated, and anything else is ignored.
 */
export type FileUse = 'patch' | 'data';

export function isInputError(item: SourceDocument | InputError): item is InputError {
  return 'code' in item;
}
