import type { JsonValue } from '../../resource/text/json.js';
import type { YamlTree } from './yaml-tree.js';

/** How a document is written, so that what is put into it looks like the rest. */
export interface Style {
  newline: '\n' | '\r\n';
  /** Columns by which a mapping stands further in than the one around it. */
  step: number;
  /** The same for a list. */
  listStep: number;
  /** The whole document is in brackets with quoted names. */
  json: JsonStyle | undefined;
}

export interface JsonStyle {
  /** No blank follows a colon or a comma. */
  compact: boolean;
  /** Each member has a line of its own, further in by these blanks. */
  step: string | undefined;
}

/** How one bracketed value is written. */
export interface FlowStyle {
  /** Names and texts are quoted. */
  quoted: boolean;
  colon: string;
  comma: string;
  /** Blanks inside of the brackets of a mapping. */
  padded: boolean;
  /** Each part has a line of its own: how the line begins, and how one further in does beside that. */
  ownLines: { prefix: string; step: string; newline: string } | undefined;
}

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
