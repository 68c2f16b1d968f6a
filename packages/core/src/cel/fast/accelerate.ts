import type { ASTNode } from '@marcbachmann/cel-js';
import { forgetRaised, raisedUnknown } from '../../undecided.js';
import { beginEvaluation, fault } from '../budget/budget.js';
import { costOf } from '../budget/costs.js';
import { quoted } from '../quoted.js';
import { withOwnBudget } from '../runtime/operands.js';
import { operands } from '../syntax.js';
import { toCelError } from '../to-cel-error.js';
import { BoundWriter } from './bound-writer.js';
import { CallerScope, checked, type LibraryEvaluator, MacroScope, type Scope } from './library.js';
import { workshopOf } from './nodes.js';
import type { Code, Locals } from './writer.js';

type Variables = { readonly [variable: string]: unknown };

/**
 * Makes a checked expression fast. The library finds the overload of every operator and call again each time, by the types
 * of the values; here the expression becomes one JavaScript function that looks at the values for the usual case (texts,
 * truth values, numbers, maps and lists of a document) and leaves everything else to the library. A test compares both on
 * arbitrary input.
 * @param total the functions that take undefined for an absent optional, and never fail.
 */
export function accelerate(ast: ASTNode, evaluator: LibraryEvaluator, total: ReadonlySet<unknown>): (variables: Variables) => unknown {
  return written(ast, 'caller', evaluator, total, 'safe');
}

/** The function of an expression whose variables come from the caller, or of a macro's body that the library runs in a scope. */
function written(
  ast: ASTNode,
  from: 'caller' | 'scope',
  evaluator: LibraryEvaluator,
  total: ReadonlySet<unknown>,
  reading: 'safe' | 'throws',
): (input: unknown) => unknown {
  let careful: ((input: unknown) => unknown) | undefined;
  let withUnknowns: ((input: unknown) => unknown) | undefined;
  return build(true);

  /** For the rare input in which a variable has no value. */
  function runCarefully(input: unknown): unknown {
    careful ??= build(false);
    return careful(input);
  }

  /**
   * For the rare input in which something is unknown: reading it throws in the middle of what was taken for safe, so that code runs again in which
   * every operand of `&&`, `||`, `all` and `exists` may throw and another one decide. An error that follows on an unknown says nothing.
   */
  function recover(error: unknown, input: unknown): unknown {
    if (raisedUnknown() === undefined) throw toCelError(error);
    if (reading === 'throws') throw toCelError(raisedUnknown());
    withUnknowns ??= written(ast, from, evaluator, total, 'throws');
    forgetRaised();
    return withUnknowns(input);
  }

  /** Nearly always all variables have values: then reading one cannot fail. */
  function build(allPresent: boolean): (input: unknown) => unknown {
    const writer = new BoundWriter(reading);
    const variables = new Map<string, string>();
    const variable = (node: ASTNode, name: string): Code => {
      const read = from === 'caller' ? `input[${quoted(name)}]` : `input.getValue(${quoted(name)})`;
      if (!allPresent) {
        writer.canThrow();
        return { source: `${writer.bind(required)}(${read}, ${writer.bind(node)})`, known: 'any' };
      }
      const known = variables.get(name) ?? writer.temporary();
      variables.set(name, known);
      return { source: known, known: 'any' };
    };
    const leave = (node: ASTNode, locals: Locals): Code => {
      for (const operand of operands(node)) if (operand.op !== 'id') runFast(operand);
      const { macro } = checked(node).meta;
      writer.canThrow();
      const outer = from === 'caller' ? `new ${writer.bind(CallerScope)}(input)` : 'input';
      const names = [...locals.keys()];
      const scope =
        names.length === 0 ? outer : `new ${writer.bind(MacroScope)}(${outer}, ${writer.bind(names)}, [${[...locals.values()].join()}])`;
      const bound = writer.bind(macro);
      return { source: `${bound}.evaluate(${writer.bind(evaluator)}, ${bound}, ${scope})`, known: 'any' };
    };
    const code = workshopOf({ writer, evaluator, total, variable, leave }).emit(ast, new Map());
    const reads = [...variables].map(([name, temporary]) => {
      const read = from === 'caller' ? `input[${quoted(name)}]` : `input.getValue(${quoted(name)})`;
      return `if ((${temporary} = ${read}) === undefined) return ${writer.bind(runCarefully)}(input);`;
    });
    // What the library runs is part of an expression that has been paid for.
    const begin =
      from === 'caller' ? [`if (!${writer.bind(beginEvaluation)}(${costOf(ast)})) return ${writer.bind(withOwnBudget)}(run, input);`] : [];
    return writer.build([...begin, ...reads], code, from === 'caller' ? recover : undefined);
  }

  /** The library runs this node; what it does inside is fast all the same, and the loops in it are counted. */
  function runFast(node: ASTNode): void {
    let run: ((scope: Scope) => unknown) | undefined;
    checked(node).evaluate = (_evaluator, _node, scope) => {
      run ??= written(node, 'scope', evaluator, total, reading);
      return run(scope);
    };
  }
}

function required(value: unknown, node: ASTNode): unknown {
  if (value === undefined) throw fault(`Unknown variable: ${node.args}`, node);
  return value;
}
