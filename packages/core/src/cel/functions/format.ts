import { failure, spend } from '../budget/budget.js';
import { spendOnNewText, spendOnObjects } from '../budget/costs.js';
import { isDuration, isUnsigned } from '../library.js';
import { entriesOf, isMap } from '../standard/values.js';

const MAX_PRECISION = 100;

/**
 * The `format` of the CEL string extensions: clauses `%[.precision]verb` with the verbs s, d, f, e, b, o, x, X, and `%%`.
 * https://github.com/google/cel-spec/blob/master/doc/extensions/strings.md
 */
export function format(template: string, values: readonly unknown[]): string {
  let next = 0;
  const text = template.replace(/%(?:\.(\d+))?(.?)/gsu, (clause, precision: string | undefined, verb: string) => {
    if (verb === '%' && precision === undefined) return '%';
    if (next >= values.length) throw failure(`format() has no value for clause ${next + 1}`);
    const value = values[next];
    next += 1;
    spendOnObjects(1);
    return formatClause(clause, verb, precision === undefined ? undefined : Number(precision), value);
  });
  return text;
}

function formatClause(clause: string, verb: string, precision: number | undefined, value: unknown): string {
  if (precision !== undefined && precision > MAX_PRECISION)
    throw failure(`format() precision in '${clause}' is larger than ${MAX_PRECISION}`);
  switch (verb) {
    case 's':
      return formatValue(value);
    case 'd':
      return decimal(value);
    case 'f':
      return fixed(toNumber(value, clause), precision ?? 6);
    case 'e':
      return scientific(toNumber(value, clause), precision ?? 6);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, clause).toString(2);
    case 'o':
      return integerOf(value, clause).toString(8);
    case 'x':
      return hexadecimal(value, clause);
    case 'X':
      return hexadecimal(value, clause).toUpperCase();
    default:
      throw failure(`format() has no clause '${clause}'`);
  }
}

function formatValue(value: unknown): string {
  spend(20);
  if (typeof value === 'string') {
    spendOnNewText(value.length);
    return value;
  }
  if (value === null) return 'null';
  if (typeof value === 'number') return double(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, item]) => `${key}: ${formatValue(item)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  if (value instanceof Uint8Array) {
    spendOnNewText(value.length);
    return Buffer.from(value).toString('utf8');
  }
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, 'Z');
  if (isDuration(value) || isUnsigned(value)) return String(value);
  if (typeof value === 'object' && 'name' in value && typeof value.name === 'string') return value.name;
  return String(value);
}

function double(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return String(value).replace(/e([-+])(\d)$/, 'e$10$2');
}

function decimal(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return double(value);
  return String(integerOf(value, '%d'));
}

function integerOf(value: unknown, clause: string): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (isUnsigned(value)) return value.valueOf();
  throw failure(`format() clause '${clause}' needs a whole number`);
}

function toNumber(value: unknown, clause: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || isUnsigned(value)) return Number(value.valueOf());
  throw failure(`format() clause '${clause}' needs a number`);
}

function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return double(value);
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`;
  return isTie(value, precision) ? evenNeighbour(value, precision) : value.toFixed(precision);
}

/** Whether the value lies exactly between two texts: toFixed then rounds up, where CEL rounds to the even digit. */
function isTie(value: number, precision: number): boolean {
  return precision < MAX_PRECISION && /^50*$/.test(value.toFixed(MAX_PRECISION).slice(precision - MAX_PRECISION));
}

function evenNeighbour(value: number, precision: number): string {
  const exact = value.toFixed(precision + 1);
  const down = exact.slice(0, precision === 0 ? -2 : -1);
  return /[02468]$/.test(down) ? down : value.toFixed(precision);
}

function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return double(value);
  return value.toExponential(precision).replace(/e([-+])(\d)$/, 'e$10$2');
}

function hexadecimal(value: unknown, clause: string): string {
  if (typeof value === 'string' || value instanceof Uint8Array) spendOnNewText(2 * value.length);
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerOf(value, clause).toString(16);
}
