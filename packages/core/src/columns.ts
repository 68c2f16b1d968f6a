import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Texts of printable ASCII, letters of Latin script and the usual punctuation: each character takes one column. */
const ONE_COLUMN_EACH = /^[\x20-\x7e\u00c0-\u017f\u2010-\u2015\u2018-\u201f\u2022\u2026\u2190\u2192\u2500-\u257f]*$/;

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  return ONE_COLUMN_EACH.test(text) ? text.length : stringWidth()(text);
}

/** The lines of a text, broken between words where it is wider than `columns`. A word that is wider is a line of its own. */
export function linesOf(text: string, columns: number): string[] {
  return ONE_COLUMN_EACH.test(text) ? brokenLines(text, columns) : wrapAnsi()(text, columns).split('\n');
}

/** What `wrap-ansi` does with such a text. */
function brokenLines(text: string, columns: number): string[] {
  const lines = [''];
  for (const [index, word] of text.split(' ').entries()) {
    let line = lines.pop()?.trimStart() ?? '';
    if (index > 0 && line !== '') line += ' ';
    if (line !== '' && word !== '' && line.length + word.length > columns) lines.push(line, word);
    else lines.push(line + word);
  }
  return lines.map((line) => line.trimEnd());
}

// Both libraries compile the tables of Unicode when they are loaded, which takes a tenth of a short run.

function stringWidth(): (text: string) => number {
  return (require('string-width') as typeof import('string-width')).default; // a required module has the type of the imported one
}

function wrapAnsi(): (text: string, columns: number) => string {
  return (require('wrap-ansi') as typeof import('wrap-ansi')).default; // as above
}
