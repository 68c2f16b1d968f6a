/**
 * A JSON line of the log for a person: time, level, message, then the fields. Texts that are not plain words are quoted, so
 * that one line stays one line.
 */
export function textLine(line: string): string {
  // Lines are made by our own logger.
  const { time, level, msg, ...fields } = JSON.parse(line) as { [field: string]: unknown };
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${plain(value)}`);
  return `${String(time)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${rest.join('')}\n`;
}

function plain(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@%+-]+$/.test(value) ? value : JSON.stringify(value);
}
