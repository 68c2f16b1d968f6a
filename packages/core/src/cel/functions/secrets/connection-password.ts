import { linesOfConfiguration } from './text-lines.js';

/**
 * The first line (from 1) of a text that holds a connection string with a password in clear: a URL with a password in its userinfo, or an
 * item `Password=…` (also pwd, AccountKey, SharedAccessKey) of a list separated by `;`, `&` or `?`. 0 if there is none. References,
 * placeholders and masks are not passwords; comments in a text of several lines do not count. Linear in the text.
 */
export function connectionPasswordLine(text: string): number {
  if (!text.includes('://') && !ITEM_NAME.test(text)) return 0;
  const lines = linesOfConfiguration(text);
  const found = lines.find(({ line }) => urlsWithPassword(line).length > 0 || hasPasswordItem(line, lines.length === 1));
  return found?.number ?? 0;
}

const ITEM_NAME = /password|pwd|accountkey|sharedaccesskey/i;

/** The offsets in a line of the URLs (of their `://`) that have a password in clear. */
export function urlsWithPassword(line: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf('://'); at >= 0; at = line.indexOf('://', at + 1)) {
    const authority = line.slice(at + 3, at + 3 + MAX_AUTHORITY);
    const password = /^[^/\s:@]*:([^/\s@]+)@/.exec(authority)?.[1];
    if (/[a-z0-9+.-]/i.test(line.charAt(at - 1)) && password !== undefined && isPassword(password)) found.push(at);
  }
  return found;
}

/** A longer text is not userinfo. */
const MAX_AUTHORITY = 512;

/** What no URL may hold unescaped shows a reference, a mask, a pattern or other code; `PASSWORD` alone is filled in later. */
function isPassword(text: string): boolean {
  return (
    text.length >= 3 &&
    !/[$<{*?#"'`\\()[\]^|]/.test(text) &&
    !/^(?:x+|[A-Z_]*(?:PASS|PASSWORD|PWD|SECRET|TOKEN)[A-Z_]*)$/.test(text) &&
    !/^X+$/.test(text)
  );
}

/** A line that starts with `password=` is a list of its own only where it is the whole text; else it is a line of a file. */
function hasPasswordItem(line: string, whole: boolean): boolean {
  for (const match of line.matchAll(ITEM)) {
    const value = match[2] ?? '';
    if (
      (whole || match[1] !== '') &&
      !/^(?:x+|true|false|none|null)$/i.test(value) &&
      !/[([]/.test(line.charAt(match.index + match[0].length))
    )
      return true;
  }
  return false;
}

const ITEM = /(^|[;&?])\s*(?:password|pwd|accountkey|sharedaccesskey)\s*=\s*([^\s;&$<{`"'/([*]{3,})/gi;
