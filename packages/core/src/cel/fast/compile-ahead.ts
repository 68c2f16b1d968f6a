import type { ASTNode } from '@marcbachmann/cel-js';
import { costOf } from '../budget/costs.js';
import { FUNCTIONS } from '../functions.js';
import { quoted } from '../quoted.js';
import { HELPERS } from '../runtime/helpers.js';
import { operands } from '../syntax.js';
import { AheadWriter, type ModuleNames, type Unknowns } from './ahead-writer.js';
import { checked, type LibraryEvaluator } from './library.js';
import { workshopOf } from './nodes.js';

/**
 * The source of the functions that `accelerate` would make, for another process: with the same steps, and giving up where that one fails or calls the
 * library. The second function, for input in which something is unknown, is there if a call may find that; otherwise that is too rare.
 */
export function compileAhead(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>, names: ModuleNames): string[] {
  const kinds: readonly Unknowns[] = mayRaise(ast) ? ['calls', 'reading'] : ['give up'];
  return kinds.map((unknowns) => written(ast, evaluator, total, new AheadWriter(names, unknowns)));
}

const RAISING: ReadonlySet<unknown> = new Set(FUNCTIONS.flatMap(({ raises, call }) => (raises === true ? [call] : [])));

function mayRaise(node: ASTNode): boolean {
  return checked(node).candidates?.declarations.some(({ handler }) => RAISING.has(handler)) || operands(node).some(mayRaise);
}

function written(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>, writer: AheadWriter): string {
  const variables = new Map<string, string>();
  const workshop = workshopOf({
    writer,
    evaluator,
    total,
    variable(_node, name) {
      const source = variables.get(name) ?? writer.temporary();
      variables.set(name, source);
      return { source, known: 'any' };
    },
    leave: () => ({ source: writer.library(), known: 'any' }),
  });
  const code = workshop.emit(ast, new Map());
  const { beginEvaluation, withOwnBudget, giveUp } = HELPERS;
  const begin = `if (!${writer.helper(beginEvaluation)}(${costOf(ast)})) return ${writer.helper(withOwnBudget)}(run, input);`;
  const reads = [...variables].map(
    ([name, temporary]) => `if ((${temporary} = input[${quoted(name)}]) === undefined) ${writer.helper(giveUp)}();`,
  );
  return writer.build([begin, ...reads], code);
}
