import type { InputError } from '../errors.js';
import type { Format } from './input/formats.js';
import type { Resource } from './resource.js';
import type { YamlDocument } from './yaml/read-yaml.js';
import type { FileUse } from './yaml/source-document.js';

/** What a document is that was passed over. */
export type Skipped = Format | 'unknown' | 'patch';

/** What was found in a document. */
export interface Extraction {
  resources: Resource[];
  errors: InputError[];
  /** Documents that are not resources, in files that the user did not name: what each is. */
  skipped: Skipped[];
}

/** Where a value comes from, for its positions and its errors. */
export interface Origin extends Pick<YamlDocument, 'places' | 'comments'> {
  file: string;
  document: number;
  explicit: boolean;
  /** What a kustomization uses the file for. */
  use?: FileUse;
  /** That an API server has accepted the object: nothing that it requires can be missing. */
  served?: boolean;
  /** What the text was rendered from. */
  rendered?: string;
  /** JSON Pointer of the text of another object that the value is in. */
  within?: string;
}
