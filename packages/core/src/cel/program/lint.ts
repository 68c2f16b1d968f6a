import { CelError } from '../evaluator.js';
import { type ASTNode, operands } from '../syntax.js';

/**
 * Refuses what the types of the input decide only at run time: numbers of a document are doubles, so `x % 2` and `x + 1`
 * have no overload, and `type(x)` never says int. An optional never equals what is not one, so such a comparison is a mistake.
 * @throws {CelError} with the offset of the operand that is to be fixed.
 */
export function lint(node: ASTNode): void {
  switch (node.op) {
    case '-':
    case '*':
    case '/':
    case '%':
      node.args.forEach((operand) => {
        refuseInput(operand, `'${node.op}'`);
      });
      break;
    case '+':
      if (isNumber(node.args[0])) refuseInput(node.args[1], `'+'`);
      if (isNumber(node.args[1])) refuseInput(node.args[0], `'+'`);
      break;
    case '==':
    case '!=':
      refuseMixedOptional(node.args[0], node.args[1]);
      break;
    case '-_':
      refuseInput(node.args, `'-'`);
      break;
    case 'call':
      if (node.args[0] === 'type' && node.args[1][0] !== undefined) refuseInput(node.args[1][0], 'type()');
      break;
    default:
  }
  for (const operand of operands(node)) lint(operand);
}

function refuseInput(operand: ASTNode, where: string): void {
  if (!isInput(operand)) return;
  throw new CelError(`${where} on an input value needs int(…) or double(…) around the value: numbers in a document are doubles`, {
    offset: operand.start,
  });
}

function refuseMixedOptional(left: ASTNode, right: ASTNode): void {
  const [leftKind, rightKind] = [kindOf(left), kindOf(right)];
  if ((leftKind === 'optional') === (rightKind === 'optional')) return;
  const optional = leftKind === 'optional' ? left : right;
  throw new CelError('an optional never equals a plain value: add .orValue(…) to it', { offset: optional.start });
}

/** A value that comes from outside, whose type only the document knows. */
function isInput(node: ASTNode): boolean {
  if (node.op === 'rcall')
    return (node.args[0] === 'orValue' || node.args[0] === 'value') && isInput(node.args[1]) && kindOf(node) === 'dyn';
  const selects = node.op === 'id' || node.op === '.' || node.op === '.?' || node.op === '[]' || node.op === '[?]';
  return selects && (kindOf(node) === 'dyn' || kindOf(node) === 'optional');
}

function isNumber(node: ASTNode): boolean {
  const type = typeOf(node);
  return type === 'int' || type === 'uint' || type === 'double';
}

/** The checker leaves its result on each node, beside the library's public type. */
interface Checked {
  checkedType?: { kind: string; type: string };
}

function kindOf(node: ASTNode): string | undefined {
  return (node as Checked).checkedType?.kind;
}

function typeOf(node: ASTNode): string | undefined {
  return (node as Checked).checkedType?.type;
}
