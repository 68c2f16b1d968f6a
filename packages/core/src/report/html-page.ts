import { hash } from 'node:crypto';
import { printable, shorten } from '../printable.js';
import { xml } from '../xml.js';

const MAX_TEXT = 1_000;

/**
 * The beginning of a page that needs nothing else, up to and with `<body>`: the only style that it may use is its own, by its digest; nothing may be
 * loaded and no script may run. Well-formed XML, too.
 * @param title plain text
 */
export function pageOpening(title: string, style: string): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="referrer" content="no-referrer"/>
<title>bylaw: ${shown(title)}</title>
<style>${style}</style>
</head>
<body>
`;
}

/** A text of any origin as the text of an element, or the value of an attribute. */
export function shown(text: string): string {
  return xml(shorten(printable(text), MAX_TEXT));
}
