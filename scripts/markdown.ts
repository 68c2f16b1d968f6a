/** Parts of Markdown pages. */

/** @param rows lists of cells, or finished lines */
export function table(heads: readonly string[], rows: readonly (string | readonly string[])[]): string {
  const lines = rows.map((row) => (typeof row === 'string' ? row : lineOf(row)));
  return [lineOf(heads), `|${heads.map(() => '---').join('|')}|`, ...lines].join('\n');
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text in a cell of a table. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
