/** The number, from 1, of the line of a text that holds the character at an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** One line of a text, with its number from 1. */
export interface ConfigurationLine {
  line: string;
  number: number;
}

/** The lines of a text that are not empty; if there are several, only those that are not comments (`#`, `;`, `//`, `--`). */
export function linesOfConfiguration(text: string): ConfigurationLine[] {
  const lines = text.split(/\r?\n/).flatMap((line, index) => (line.trim() === '' ? [] : { line, number: index + 1 }));
  return lines.length === 1 ? lines : lines.filter(({ line }) => !/^[ \t]*(?:#|;|\/\/|--)/.test(line));
}
