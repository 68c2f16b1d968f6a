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
