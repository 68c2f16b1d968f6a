import type { ASTNode } from '@marcbachmann/cel-js';
import { costOf } from '../budget/costs.js';
import { quoted } from '../quoted.js';
import { HELPERS } from '../runtime/helpers.js';
import { AheadWriter, type ModuleNames } from './ahead-writer.js';
import type { LibraryEvaluator } from './library.js';
import { workshopOf } from './nodes.js';

/**
 * The source of the function that `accelerate` would make, for another process: with the same steps, and giving up where that one fails or calls the
 * library.
 */
export function compileAhead(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>, names: ModuleNames): string {
  const writer = new AheadWriter(names);
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
