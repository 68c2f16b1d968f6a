/**
 * Rows as CSV (RFC 4180). Texts that a spreadsheet would compute are opened with an apostrophe (OWASP, CSV Injection); numbers stay numbers. A table may be
 * shown on a terminal: control characters but those of lines and tabs are left out.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join(',')}\r\n`).join('');
}

function textCell(text: string): string {
  const plain = text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '');
  const safe = /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
