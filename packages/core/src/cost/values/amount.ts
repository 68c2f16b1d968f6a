/**
 * A number as cost exports write it: `12.5`, `-1.2e-7`, `1,234.50`, `$10,000.00 `, `(12.00)` for a negative amount.
 * @returns null where there is none (empty, `null`, `NULL`, `N/A`), undefined for what is not a finite number
 */
export function parseAmount(text: string): number | null | undefined {
  const fast = Number(text);
  if (Number.isFinite(fast) && text !== '' && isPlain(text)) return fast;
  if (text.length > LONGEST) return undefined;
  const trimmed = text.trim();
  if (ABSENT.has(trimmed)) return null;
  const bracketed = trimmed.startsWith('(') && trimmed.endsWith(')');
  const match = FORMATTED.exec(bracketed ? trimmed.slice(1, -1) : trimmed);
  if (!match) return undefined;
  const value = Number((match[2] ?? '').replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  return (match[1] !== undefined) !== bracketed ? -value : value;
}

/** `Number` takes blanks, and other bases: `0x10`. */
function isPlain(text: string): boolean {
  const second = text.charCodeAt(1);
  return text.charCodeAt(0) > SPACE && !(text.charCodeAt(0) === ZERO && second > NINE && second !== EXPONENT && second !== SMALL_EXPONENT);
}

const SPACE = 32;
const ZERO = 48;
const NINE = 57;
const EXPONENT = 69;
const SMALL_EXPONENT = 101;

/** No number is longer, and the pattern is not for long texts. */
const LONGEST = 64;

/** Words that exports write for a value that is not there. */
const ABSENT = new Set(['', 'null', 'NULL', 'Null', 'N/A', 'n/a', 'None']);

/** A sign, a currency sign, and digits in groups of three or without groups. */
const FORMATTED = /^(-)?[$€£¥]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+(?:[eE][+-]?\d{1,3})?|\d+\.)$/;
