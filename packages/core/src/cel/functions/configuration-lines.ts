/** The lines of a text; of a text with several lines only those that are no comment (`#`, `;`, `//`, `--`) and not empty. */
export function linesOfConfiguration(text: string): string[] {
  const lines = text.trim().split(/\r?\n/);
  return lines.length === 1 ? lines : lines.filter((line) => !/^[ \t]*(?:#|;|\/\/|--|$)/.test(line));
}
