import type { Term } from './term.js';

/** Longer lines are broken. */
const WIDTH = 140;

/** The text of an expression, over several lines where it is long. Equal trees have equal texts. */
export function printTerm(term: Term): string {
  return layOut(term, 0, 0);
}

/** The text on one line. */
export function printFlat(term: Term): string {
  return flat(term, 0);
}

/** How tightly operators bind; a weaker operand is in brackets. */
const STRENGTH: { readonly [operator: string]: number } = {
  '||': 2,
  '&&': 3,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const CHOICE = 1;
const UNARY = 7;
const POSTFIX = 8;

function strengthOf(term: Term): number {
  if (term.is === 'choice') return CHOICE;
  if (term.is === 'binary') return STRENGTH[term.operator] ?? POSTFIX;
  if (term.is === 'unary') return UNARY;
  const negative = term.is === 'literal' && typeof term.value !== 'string' && Number(term.value) < 0;
  return negative ? UNARY : POSTFIX;
}

function flat(term: Term, least: number): string {
  const text = flatInside(term);
  return strengthOf(term) < least ? `(${text})` : text;
}

function flatInside(term: Term): string {
  switch (term.is) {
    case 'literal':
      return printLiteral(term.value);
    case 'name':
      return term.name;
    case 'member':
      return `${flat(term.of, POSTFIX)}.${term.optional ? '?' : ''}${term.name}`;
    case 'item':
      return `${flat(term.of, POSTFIX)}[${term.optional ? '?' : ''}${flat(term.key, 0)}]`;
    case 'call':
      return `${term.on ? `${flat(term.on, POSTFIX)}.` : ''}${term.name}(${term.args.map((arg) => flat(arg, 0)).join(', ')})`;
    case 'loop':
      return `${flat(term.over, POSTFIX)}.${term.macro}(${term.variable}, ${flat(term.body, 0)})`;
    case 'bind':
      return `cel.bind(${term.variable}, ${flat(term.value, 0)}, ${flat(term.body, 0)})`;
    case 'list':
      return `[${term.items.map((item) => flat(item, 0)).join(', ')}]`;
    case 'map':
      return `{${term.entries.map(([key, value]) => `${flat(key, 0)}: ${flat(value, 0)}`).join(', ')}}`;
    case 'unary':
      return `${term.operator}${flat(term.of, UNARY)}`;
    case 'binary': {
      const strength = strengthOf(term);
      return `${flat(term.left, strength)} ${term.operator} ${flat(term.right, strength + 1)}`;
    }
    case 'choice':
      return `${flat(term.condition, CHOICE + 1)} ? ${flat(term.yes, CHOICE + 1)} : ${flat(term.no, CHOICE)}`;
  }
}

function layOut(term: Term, least: number, indent: number): string {
  const short = flat(term, least);
  if (indent + short.length <= WIDTH) return short;
  if (strengthOf(term) < least) return `(${layOut(term, 0, indent + 1)})`;
  const pad = `\n${' '.repeat(indent)}`;
  switch (term.is) {
    case 'member':
    case 'item':
    case 'call':
    case 'loop':
      return layOutChain(term, indent);
    case 'list':
      return `[${layOutItems(term.items, indent + 1)}]`;
    case 'map': {
      const entries = term.entries.map(([key, value]) => `${flat(key, 0)}: ${layOut(value, 0, indent + 2)}`);
      return `{${pad}  ${entries.join(`,${pad}  `)}${pad}}`;
    }
    case 'unary':
      return `${term.operator}${layOut(term.of, UNARY, indent + 1)}`;
    case 'binary': {
      const strength = strengthOf(term);
      const right = layOut(term.right, strength + 1, indent + term.operator.length + 1);
      return `${layOut(term.left, strength, indent)}${term.operator === 'in' ? ' ' : pad}${term.operator} ${right}`;
    }
    case 'choice': {
      const yes = layOut(term.yes, CHOICE + 1, indent + 2);
      return `${layOut(term.condition, CHOICE + 1, indent)}${pad}? ${yes}${pad}: ${layOut(term.no, CHOICE, indent + 2)}`;
    }
    default:
      return short;
  }
}

/** Items one after the other, as many on a line as it holds. */
function layOutItems(items: readonly Term[], indent: number): string {
  const lines = [''];
  for (const [index, item] of items.entries()) {
    const text = layOut(item, 0, indent) + (index < items.length - 1 ? ',' : '');
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent + line.length + text.length >= WIDTH) lines.push(text);
    else lines[lines.length - 1] = line === '' ? text : `${line} ${text}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** `a.filter(…).map(…).join(…)`: a line for each where there are several. */
function layOutChain(term: Term, indent: number): string {
  const links: Term[] = [];
  let base = term;
  for (let of = receiverOf(base); of !== undefined; of = receiverOf(base)) {
    links.unshift(base);
    base = of;
  }
  const several = links.filter(isStep).length > 1;
  const deeper = indent + (several ? 2 : 0);
  const head =
    base.is === 'call' ? `${base.name}(${layOutItems(base.args, indent + base.name.length + 1)})` : layOut(base, POSTFIX, indent);
  return links.reduce((text, link) => {
    const before = several && isStep(link) ? `${text}\n${' '.repeat(deeper)}` : text;
    return before + layOutLink(link, deeper, before.includes('\n') ? lastLine(before).length : indent + before.length);
  }, head);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function receiverOf(term: Term): Term | undefined {
  if (term.is === 'member' || term.is === 'item') return term.of;
  if (term.is === 'loop') return term.over;
  return term.is === 'call' ? term.on : undefined;
}

/** Selections, and what stands for an absent value, stay behind what they select from. */
function isStep(link: Term): boolean {
  return link.is === 'loop' || (link.is === 'call' && !['hasValue', 'or', 'orValue', 'value'].includes(link.name));
}

/** `column` is where the link begins. */
function layOutLink(link: Term, indent: number, column: number): string {
  switch (link.is) {
    case 'member':
      return `.${link.optional ? '?' : ''}${link.name}`;
    case 'item':
      return `[${link.optional ? '?' : ''}${layOut(link.key, 0, indent + 2)}]`;
    case 'loop': {
      const body = layOut(link.body, 0, indent + 2);
      const fits = !body.includes('\n') && column + body.length + link.variable.length + link.macro.length + 5 <= WIDTH;
      return `.${link.macro}(${link.variable},${fits ? ' ' : `\n${' '.repeat(indent + 2)}`}${body})`;
    }
    case 'call':
      return `.${link.name}(${layOutItems(link.args, indent + 2)})`;
    default:
      return flat(link, POSTFIX);
  }
}

function printLiteral(value: null | boolean | bigint | number | string): string {
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'number' && Number.isInteger(value)) return Math.abs(value) < 1e21 ? `${value}.0` : String(value);
  return String(value);
}

/** A text with backslashes is a pattern or a Windows path: raw, as its author wrote it, unless its last character is one. */
function printText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a raw text cannot hold them
  const raw = text.includes('\\') && !text.endsWith('\\') && !/[\u0000-\u001f\u007f]/.test(text);
  if (raw && !text.includes("'")) return `r'${text}'`;
  if (raw && !text.includes('"')) return `r"${text}"`;
  return JSON.stringify(text);
}
