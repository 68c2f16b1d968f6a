import { call, type Term } from '../term/term.js';

/**
 * Items of a list, or values of a map, of one type: the API server refuses literals of texts beside values whose type it does not know. What is of
 * several types is made `dyn`.
 */
export function alike(terms: readonly Term[]): readonly Term[] {
  // Lists of paths and of lists of paths are arguments, of which nothing is left in the end.
  if (new Set(terms.map(typeToServer)).size <= 1 || terms.every(({ is }) => is === 'literal' || is === 'list')) return terms;
  return terms.map((term) => (term.is === 'call' && term.name === 'dyn' ? term : call('dyn', term)));
}

const TEXTS = new Set(['charAt', 'find', 'format', 'join', 'lowerAscii', 'replace', 'string', 'substring', 'trim', 'upperAscii']);
const TRUTHS = new Set(['contains', 'endsWith', 'hasValue', 'isCIDR', 'isIP', 'isQuantity', 'isURL', 'matches', 'startsWith']);
const NUMBERS = new Set(['indexOf', 'int', 'lastIndexOf', 'size']);

/** The type that the API server sees in a term. It knows none of members of objects. */
function typeToServer(term: Term): string {
  switch (term.is) {
    case 'literal':
      return typeof term.value;
    case 'call':
      return TEXTS.has(term.name) ? 'string' : TRUTHS.has(term.name) ? 'boolean' : NUMBERS.has(term.name) ? 'bigint' : 'dyn';
    case 'unary':
      return term.operator === '!' ? 'boolean' : typeToServer(term.of);
    case 'binary':
      return typeOfBinary(term);
    case 'choice': {
      const [yes, no] = [typeToServer(term.yes), typeToServer(term.no)];
      return yes === no ? yes : 'dyn';
    }
    case 'bind':
      return typeToServer(term.body);
    case 'loop':
      return term.macro === 'map' || term.macro === 'filter' ? 'list' : 'boolean';
    case 'list':
    case 'map':
      return term.is;
    default:
      return 'dyn';
  }
}

function typeOfBinary({ operator, left, right }: Extract<Term, { is: 'binary' }>): string {
  if (!['+', '-', '*', '/', '%'].includes(operator)) return 'boolean';
  const [first, second] = [typeToServer(left), typeToServer(right)];
  return first === 'dyn' ? second : first;
}
