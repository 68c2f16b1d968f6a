import type { ASTNode } from './syntax.js';

/** The operands of a conjunction, and of the conjunctions in it, as texts of their own. */
export function conjunctsOf(ast: ASTNode, source: string): string[] {
  if (ast.op === '&&') return ast.args.flatMap((operand) => conjunctsOf(operand, source));
  return [balanced(source.slice(ast.start, ast.end))];
}

/** The place of a node leaves out the parentheses around its first and last operand; here they come back. */
function balanced(text: string): string {
  let depth = 0;
  let lowest = 0;
  // Literals are passed over whole, so that what looks like a parenthesis in a text is not one.
  for (const [token] of text.matchAll(/r?("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\/.*|[()]/g)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    lowest = Math.min(lowest, depth);
  }
  return `${'('.repeat(-lowest)}${text}${')'.repeat(depth - lowest)}`;
}
