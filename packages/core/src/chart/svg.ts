import { createHash } from 'node:crypto';
import { columnsOf } from '../columns.js';
import { printable, shorten } from '../printable.js';
import { xml } from '../xml.js';
import { standaloneStyle } from './style.js';

/** All charts are drawn this wide; a page makes them smaller where it must. In units of the drawing, which are pixels at full size. */
export const WIDTH = 960;

/** Size of the text of charts. */
export const TEXT = 12;

const MAX_DESCRIPTION = 2_000;

/** The drawing with its title and description. Identifiers come from the content, so that charts of one page do not get in each other's way. */
export function drawing(spec: { title: string; description: string }, height: number, body: string, width = WIDTH): string {
  const id = `c${createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 10)}`;
  return `<svg class="chart" width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${escapedText(spec.title, MAX_DESCRIPTION)}</title><desc id="${id}-d">${escapedText(spec.description, MAX_DESCRIPTION)}</desc>${body}</svg>`;
}

/** A coordinate with at most two decimals. */
export function px(value: number): string {
  return String(Math.round(value * 100) / 100 || 0);
}

/** Text of an input, cut to so many characters. */
export function escapedText(text: string, length: number): string {
  return xml(shorten(printable(text), length));
}

export interface Label {
  x: number;
  y: number;
  text: string;
  anchor?: 'start' | 'middle' | 'end';
  style?: string;
}

/** A line of text that takes no more than `room`; what was cut is shown on pointing. */
export function label({ x, y, text, anchor = 'start', style = '' }: Label, room = Number.POSITIVE_INFINITY, fit = fitted): string {
  const whole = printable(text);
  const cut = fit(whole, room);
  const place = `x="${px(x)}" y="${px(y)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${style === '' ? '' : ` class="${style}"`}`;
  return `<text ${place}>${xml(cut)}${cut === whole ? '' : `<title>${escapedText(whole, MAX_DESCRIPTION)}</title>`}</text>`;
}

/** How wide a text is at most, nearly: fonts differ, so this is on the wide side of those of the stack. */
export function widthOf(text: string): number {
  return columnsOf(text) * TEXT * 0.62;
}

/** The text, or as much of its beginning as has room, with an ellipsis. */
export function fitted(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  let cut = '';
  for (const character of text) {
    if (widthOf(`${cut}${character}…`) > room) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** The text, or its beginning and more of its end: paths and identifiers of one chart mostly begin alike. */
export function fittedName(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  const characters = [...text];
  let [start, end] = ['', ''];
  for (let i = 0; i < characters.length; i++) {
    const [longerStart, longerEnd] =
      i % 3 === 0 ? [start + (characters[i / 3] ?? ''), end] : [start, (characters[characters.length - i + Math.floor(i / 3)] ?? '') + end];
    if (widthOf(`${longerStart}…${longerEnd}`) > room) break;
    [start, end] = [longerStart, longerEnd];
  }
  return `${start}…${end}`;
}

export function straight(x1: number, y1: number, x2: number, y2: number, style: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" class="${style}"/>`;
}

export function box(x: number, y: number, width: number, height: number, style: string, inside = ''): string {
  const open = `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" class="${style}"`;
  return inside === '' ? `${open}/>` : `${open}>${inside}</rect>`;
}

const OPENING = '<svg class="chart"';

/**
 * A chart as a document of its own, with its colours, light or dark by the reader's preference: a file, an image, or a part of any page.
 * @param shapes the style of what it is made of beside the shapes of charts, with the same variables for colours
 */
export function standalone(chart: string, shapes = ''): string {
  const end = chart.indexOf('>') + 1;
  const attributes = chart.slice(OPENING.length, end);
  return `${OPENING} xmlns="http://www.w3.org/2000/svg"${attributes}<style>${standaloneStyle(shapes)}</style>${chart.slice(end)}`;
}
