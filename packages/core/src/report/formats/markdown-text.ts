import { printable, shorten } from '../../printable.js';

/** Texts come from the input: one of them must not fill a comment. */
const MAX_TEXT = 240;
const MAX_CODE = 200;

/**
 * Text of the input as plain text in Markdown, in a paragraph or a table cell: no markup, no HTML, no links. A bar is written as an entity,
 * because renderers differ on `\\|` in tables.
 */
export function markdownText(text: string): string {
  return htmlText(text)
    .replace(/[\\`*_[\]~$]/g, '\\$&')
    .replaceAll('|', '&#124;');
}

/** The same inside of an HTML block (`<summary>`), where Markdown is not read. */
export function htmlText(text: string): string {
  return unlinked(shorten(printable(text), MAX_TEXT))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Text of the input as code: nothing inside is markup, a link or a mention. */
export function codeSpan(text: string): string {
  const shown = shorten(printable(text), MAX_CODE);
  if (shown.includes('|')) return markdownText(shown);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * GitHub and GitLab make links and notifications of `@name`, `#12` and bare addresses in the rendered text, where no escape helps any
 * more: an invisible word joiner keeps them text.
 */
function unlinked(text: string): string {
  return text.replace(/(?<!\w)@(?=\w)|#(?=\d)|:(?=\/\/)|\bwww(?=\.)/gi, '$&\u2060');
}
