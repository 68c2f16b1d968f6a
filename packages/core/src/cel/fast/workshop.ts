import type { ASTNode } from '@marcbachmann/cel-js';
import type { LibraryEvaluator } from './library.js';
import type { Code, Writer } from './writer.js';

/** Where the variables of the macros around a node stand: their temporaries, by name. */
export type Locals = ReadonlyMap<string, string>;

/** What writes the code of nodes. */
export interface Workshop {
  readonly writer: Writer;
  readonly evaluator: LibraryEvaluator;
  emit(node: ASTNode, locals: Locals): Code;
  /** Whether a function takes undefined for an absent optional, what is inside for a present one, and never fails. */
  isTotal(handler: unknown): boolean;
}
