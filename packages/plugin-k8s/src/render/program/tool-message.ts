/** What must not be repeated from the messages of a program, and what is to be named otherwise. */
export interface Redaction {
  /** Values that may be secrets. */
  secrets: readonly string[];
  /** Absolute paths, and the names under which the user knows them. */
  names: ReadonlyMap<string, string>;
  /** Whether a schema may have taken its words from a file that is not part of the source. */
  foreignSchema?: boolean;
}

const MAX_LENGTH = 1_000;

/** Shorter texts are in too many places for another reason. */
const MIN_SECRET = 4;

/**
 * What a program said before it failed, as one sentence for people: its error without log lines and advice for its own users, on one line, without
 * secrets.
 */
export function toolMessage(stderr: string, { secrets, names, foreignSchema = false }: Redaction): string {
  let text = errorOf(stderr);
  if (foreignSchema && /schema/i.test(text)) return FOREIGN_SCHEMA;
  for (const [path, name] of names) text = text.replaceAll(path, name);
  for (const secret of secrets) if (secret.length >= MIN_SECRET) text = text.replaceAll(secret, '***');
  text = text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1***@')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .trim();
  if (text.length > MAX_LENGTH) text = `${text.slice(0, MAX_LENGTH)} …`;
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

const FOREIGN_SCHEMA = 'the values do not fit a schema. It refers to other files, or is in a packed chart, so what it says is not shown.';

/** From the line that starts with `Error:` on, or the error that kubectl logs, where there is one. */
function errorOf(stderr: string): string {
  const logged = LOGGED.exec(stderr);
  if (logged !== null) return logged[1] ?? (logged[2] ?? '').replaceAll('\\"', '"');
  const lines = stderr.split('\n');
  const first = lines.findIndex((line) => /^error: /i.test(line));
  return lines
    .slice(Math.max(first, 0))
    .filter((line) => !line.startsWith('Use --debug flag'))
    .join('\n')
    .replace(/^error: /i, '');
}

/** A line of klog: the error as a block, or in quotes. */
const LOGGED = /^E\d{4} \S+ +\d+ \S+\] "command failed" err=(?:<\n([\s\S]*?)\n >|"((?:[^"\\]|\\.)*)")/m;
