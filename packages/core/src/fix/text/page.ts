import type { JsonValue } from '../../resource/text/json.js';
import type { Style } from './yaml-style.js';
import type { YamlTree } from './yaml-tree.js';

/** What a text is made of: its nodes, and how it is written. */
export interface Page extends YamlTree {
  style: Style;
}

/** What changes in one mapping or list. */
export interface CollectionEdit {
  /** By key or index. */
  set: Map<string, JsonValue>;
  remove: Set<string>;
  append: JsonValue[];
}
