import { Chalk, type ChalkInstance } from 'chalk';
import { columnsOf, linesOf } from '../columns.js';
import type { Finding, Score } from '../evaluate/index.js';
import type { Severity } from '../rule/index.js';

export { columnsOf };

/** A terminal, or a file that looks like one: columns and colours. */
export interface Page {
  chalk: ChalkInstance;
  width: number;
}

/** The tables of the summary need so much. */
const NARROWEST = 50;

/** Colours are the sixteen of the terminal's own theme, so they are readable on any background. */
export function newPage(options: { colour: boolean; width: number }): Page {
  return { chalk: new Chalk({ level: options.colour ? 1 : 0 }), width: Math.max(NARROWEST, options.width) };
}

/**
 * Lines of `text`, wrapped to the page, each behind `indent` columns but the first behind `first`. A word that is longer than a line stays
 * whole, because image names and paths are there to be copied. Colours go on after wrapping.
 */
export function wrapped(
  page: Page,
  text: string,
  indent: number,
  style: (line: string) => string = (line) => line,
  first = ' '.repeat(indent),
): string {
  const lines = linesOf(text, page.width - indent);
  return lines.map((line, i) => `${i === 0 ? first : ' '.repeat(indent)}${style(line)}\n`).join('');
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)));
}

/** The text in so many columns: padded, or its end behind an ellipsis, for names of one table mostly begin alike. */
export function inColumns(text: string, width: number): string {
  if (columnsOf(text) <= width) return padded(text, width);
  let end = '';
  for (const character of [...text].toReversed()) {
    if (columnsOf(`…${character}${end}`) > width) break;
    end = character + end;
  }
  return padded(`…${end}`, width);
}

export function heading(page: Page, text: string): string {
  return `\n${page.chalk.bold(text)}\n\n`;
}

export function severityStyle(page: Page, severity: Severity): (text: string) => string {
  const { chalk } = page;
  switch (severity) {
    case 'CRITICAL':
      return chalk.bold.red;
    case 'HIGH':
      return chalk.red;
    case 'MEDIUM':
      return chalk.yellow;
    case 'LOW':
      return chalk.cyan;
    case 'INFO':
      return chalk.dim;
  }
}

/** The severity of a finding, or ERROR where its rule could not be evaluated; eight columns. */
export function severityLabel(page: Page, finding: Pick<Finding, 'severity' | 'status'>): string {
  return finding.status === 'error'
    ? page.chalk.magenta(padded('ERROR', 8))
    : severityStyle(page, finding.severity)(padded(finding.severity, 8));
}

export function gradeStyle(page: Page, grade: Score['grade']): (text: string) => string {
  if (grade === null) return page.chalk.dim;
  if (grade === 'A' || grade === 'B') return page.chalk.bold.green;
  return grade === 'C' ? page.chalk.bold.yellow : page.chalk.bold.red;
}
