/**
 * A number as cost exports write it: `12.5`, `-1.2e-7`, `1,234.50`, `$10,000.00 `, `(12.00)` for a negative amount.
 * @returns null where there is none (empty, `null`, `NULL`, `N/A`), undefined for what is no finite number
 */
export function parseAmount(text: string): number | null | undefined {
  const fast = Number(text);
  if (Number.isFinite(fast) && text !== '' && text.charCodeAt(0) > SPACE) return fast;
  const trimmed = text.trim();
  if (ABSENT.has(trimmed)) return null;
  const match = FORMATTED.exec(trimmed);
  if (!match) return undefined;
  const value = Number((match[3] ?? '').replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  return match[1] || match[2] ? -value : value;
}

const SPACE = 32;

/** Words that exports write for a value that is not there. */
const ABSENT = new Set(['', 'null', 'NULL', 'Null', 'N/A', 'n/a', 'None']);

/** An opening bracket or a sign, a currency sign, and digits in groups of three or without groups. */
const FORMATTED = /^(\()?(-)?[$€£¥]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+(?:[eE][+-]?\d{1,3})?|\d+\.)\)?$/;
