import type { MemberShape, Shape } from '../shape.js';
import type { ASTNode } from '../syntax.js';

/** Paths (`proposal.action.cost`) of members that are known to be there. */
export type Present = ReadonlySet<string>;

/** The members that are there whenever a condition is true, or whenever it is false. */
export function presentWhen(condition: ASTNode, truth: boolean, shapes: { readonly [variable: string]: Shape }): Present {
  switch (condition.op) {
    case '!_':
      return presentWhen(condition.args, !truth, shapes);
    case '&&':
    case '||': {
      const [left, right] = condition.args.map((operand) => presentWhen(operand, truth, shapes));
      // Both operands of a true conjunction are true; of a false one, either may be false.
      return (condition.op === '&&') === truth ? new Set([...(left ?? []), ...(right ?? [])]) : common(left, right);
    }
    case 'call':
      return truth && condition.args[0] === 'has' ? asked(condition.args[1][0]) : new Set();
    case 'rcall':
      return truth && condition.args[0] === 'hasValue' ? asked(condition.args[1]) : new Set();
    case 'in':
      return truth ? keyed(condition.args[0], condition.args[1]) : new Set();
    case '.':
      return truth ? implied(condition, shapes) : new Set();
    default:
      return new Set();
  }
}

/** The path of a selection that starts at a variable and has only literal names, else undefined. */
export function pathOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args;
  const step = stepOf(node);
  const base = step && pathOf(step.base);
  return base === undefined ? undefined : `${base}.${step?.name}`;
}

/** One selection by a literal name. */
export function stepOf(node: ASTNode): { base: ASTNode; name: string; optional: boolean } | undefined {
  switch (node.op) {
    case '.':
    case '.?':
      return { base: node.args[0], name: node.args[1], optional: node.op === '.?' };
    case '[]':
    case '[?]': {
      const [base, key] = node.args;
      return key.op === 'value' && typeof key.args === 'string' ? { base, name: key.args, optional: node.op === '[?]' } : undefined;
    }
    default:
      return undefined;
  }
}

/** What comes before a member that is there is there, too. */
function asked(node: ASTNode | undefined): Present {
  const paths = new Set<string>();
  for (let at = node; at !== undefined; at = stepOf(at)?.base) {
    const path = pathOf(at);
    if (path !== undefined) paths.add(path);
  }
  return paths;
}

/** `"name" in map` */
function keyed(key: ASTNode, map: ASTNode): Present {
  const path = pathOf(map);
  return path !== undefined && key.op === 'value' && typeof key.args === 'string' ? new Set([`${path}.${key.args}`]) : new Set();
}

/** A member such as `mandate.valid` that is true only beside others. */
function implied(node: ASTNode, shapes: { readonly [variable: string]: Shape }): Present {
  const step = stepOf(node);
  if (step === undefined || step.base.op !== 'id') return new Set();
  const variable = step.base.args;
  const member = memberOf(shapes[variable], step.name);
  return new Set((member?.implies ?? []).map((name) => `${variable}.${name}`));
}

export function memberOf(shape: Shape | undefined, name: string): MemberShape | undefined {
  return shape?.type === 'object' && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
}

function common(left: Present = new Set(), right: Present = new Set()): Present {
  return new Set([...left].filter((path) => right.has(path)));
}
