import { STANDALONE_STYLE } from './style.js';

const OPENING = '<svg class="chart"';

/** A chart as a document of its own, with its colours, light or dark by the reader's preference: a file, an image, or a part of any page. */
export function standalone(chart: string): string {
  const end = chart.indexOf('>') + 1;
  const attributes = chart.slice(OPENING.length, end);
  return `${OPENING} xmlns="http://www.w3.org/2000/svg"${attributes}<style>${STANDALONE_STYLE}</style>${chart.slice(end)}`;
}
