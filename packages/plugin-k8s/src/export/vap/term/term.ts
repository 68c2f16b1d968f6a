/**
 * A CEL expression as the translation sees it: rules come in as such trees and go out as such trees, and nothing in between works on
 * text. Trees never change.
 */
export type Term =
  | { is: 'literal'; value: null | boolean | bigint | number | string }
  | { is: 'name'; name: string }
  /** `of.name`, or `of.?name` */
  | { is: 'member'; of: Term; name: string; optional: boolean }
  /** `of[key]`, or `of[?key]` */
  | { is: 'item'; of: Term; key: Term; optional: boolean }
  | { is: 'call'; name: string; on: Term | undefined; args: readonly Term[] }
  | { is: 'loop'; macro: LoopMacro; over: Term; variable: string; body: Term }
  /** `cel.bind(variable, value, body)`, which the API server lacks: it is inlined, or becomes a loop over one item. */
  | { is: 'bind'; variable: string; value: Term; body: Term }
  | { is: 'list'; items: readonly Term[] }
  | { is: 'map'; entries: readonly (readonly [key: Term, value: Term])[] }
  | { is: 'unary'; operator: '!' | '-'; of: Term }
  | { is: 'binary'; operator: string; left: Term; right: Term }
  | { is: 'choice'; condition: Term; yes: Term; no: Term };

export const LOOP_MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'] as const;
export type LoopMacro = (typeof LOOP_MACROS)[number];

export type Call = Extract<Term, { is: 'call' }>;

export const literal = (value: null | boolean | bigint | number | string): Term => ({ is: 'literal', value });
export const name = (text: string): Term => ({ is: 'name', name: text });
export const member = (of: Term, field: string): Term => ({ is: 'member', of, name: field, optional: false });
export const call = (functionName: string, ...args: Term[]): Call => ({ is: 'call', name: functionName, on: undefined, args });
export const method = (on: Term, methodName: string, ...args: Term[]): Call => ({ is: 'call', name: methodName, on, args });

/** A tree with each direct operand replaced. */
export function mapOperands(term: Term, change: (operand: Term) => Term): Term {
  switch (term.is) {
    case 'literal':
    case 'name':
      return term;
    case 'member':
    case 'unary':
      return { ...term, of: change(term.of) };
    case 'item':
      return { ...term, of: change(term.of), key: change(term.key) };
    case 'call':
      return { ...term, on: term.on && change(term.on), args: term.args.map(change) };
    case 'loop':
      return { ...term, over: change(term.over), body: change(term.body) };
    case 'bind':
      return { ...term, value: change(term.value), body: change(term.body) };
    case 'list':
      return { ...term, items: term.items.map(change) };
    case 'map':
      return { ...term, entries: term.entries.map(([key, value]) => [change(key), change(value)] as const) };
    case 'binary':
      return { ...term, left: change(term.left), right: change(term.right) };
    case 'choice':
      return { ...term, condition: change(term.condition), yes: change(term.yes), no: change(term.no) };
  }
}

/** The direct operands, in the order of the text. */
export function operandsOf(term: Term): Term[] {
  const operands: Term[] = [];
  mapOperands(term, (operand) => {
    operands.push(operand);
    return operand;
  });
  return operands;
}

/** How often a name is in a tree without being bound there. */
export function countOf(term: Term, wanted: string): number {
  if (term.is === 'name') return term.name === wanted ? 1 : 0;
  const bound = (term.is === 'loop' || term.is === 'bind') && term.variable === wanted;
  return operandsOf(term).reduce((sum, operand) => sum + (bound && operand === bodyOf(term) ? 0 : countOf(operand, wanted)), 0);
}

/** The names that a tree reads and does not bind. */
export function freeNames(term: Term): ReadonlySet<string> {
  if (term.is === 'name') return new Set([term.name]);
  const names = new Set(operandsOf(term).flatMap((operand) => (operand === bodyOf(term) ? [] : [...freeNames(operand)])));
  const body = bodyOf(term);
  if (body !== undefined && (term.is === 'loop' || term.is === 'bind'))
    for (const free of freeNames(body)) if (free !== term.variable) names.add(free);
  return names;
}

/** Puts a tree in the place of a name. A variable that would catch a name of that tree gets another name. */
export function substitute(term: Term, wanted: string, by: Term): Term {
  if (term.is === 'name') return term.name === wanted ? by : term;
  if (term.is !== 'loop' && term.is !== 'bind') return mapOperands(term, (operand) => substitute(operand, wanted, by));
  const outer = term.is === 'loop' ? { over: substitute(term.over, wanted, by) } : { value: substitute(term.value, wanted, by) };
  if (term.variable === wanted || countOf(term.body, wanted) === 0) return { ...term, ...outer };
  const taken = freeNames(by);
  if (!taken.has(term.variable)) return { ...term, ...outer, body: substitute(term.body, wanted, by) };
  const variable = freshName(term.variable, new Set([...taken, ...freeNames(term.body)]));
  return { ...term, ...outer, variable, body: substitute(substitute(term.body, term.variable, name(variable)), wanted, by) };
}

/** `item`, `item2`, `item3`, … */
export function freshName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) if (!taken.has(`${base}${count}`)) return `${base}${count}`;
}

function bodyOf(term: Term): Term | undefined {
  return term.is === 'loop' || term.is === 'bind' ? term.body : undefined;
}
