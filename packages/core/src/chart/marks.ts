import type { BandChart } from './chart.js';
import { escapedText, label, px, TEXT, widthOf } from './svg.js';

/** A mark at its place in the drawing. */
export interface PlacedMark {
  x: number;
  y: number;
  time: string;
  label: string;
  tone: BandChart['marks'][number]['tone'];
  /** It is lower than what is beside it, so there is room below. */
  isValley: boolean;
}

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const SIZE = 5;
const LONGEST = 240;
const MOST_LABELS = 30;

/** How much wider the letters of labels are than others, for they are bold. */
const BOLD = 1.15;

/** Marks with their labels beside them, where these cover neither another mark nor another label. Shapes differ, not colours alone. */
export function drawnMarks(marks: readonly PlacedMark[], plot: Area): string {
  const taken = marks.map(({ x, y }) => around(x, y));
  let labels = '';
  for (const mark of marks.slice(0, MOST_LABELS)) {
    const width = Math.min(LONGEST, widthOf(mark.label)) * BOLD;
    const place = placesOf(mark, width).find(({ area }) => isWithin(area, plot) && !taken.some((other) => isOver(area, other)));
    if (mark.label === '' || !place) continue;
    taken.push(place.area);
    labels += label({ x: place.area.left, y: place.area.bottom - 3, text: mark.label, style: 'c-label' }, LONGEST);
  }
  return marks.map(symbol).join('') + labels;
}

function around(x: number, y: number): Area {
  return { left: x - SIZE, top: y - SIZE, right: x + SIZE, bottom: y + SIZE };
}

/** On the side away from the line, on the other, to the right, to the left, then further off. */
function placesOf({ x, y, isValley }: PlacedMark, width: number): { area: Area }[] {
  const height = TEXT + 2;
  const at = (left: number, top: number) => ({ area: { left, top, right: left + width, bottom: top + height } });
  const [above, below] = [at(x - width / 2, y - SIZE - 3 - height), at(x - width / 2, y + SIZE + 3)];
  return [
    ...(isValley ? [below, above] : [above, below]),
    at(x + SIZE + 4, y - height / 2),
    at(x - SIZE - 4 - width, y - height / 2),
    at(x - width - SIZE, y - SIZE - height),
    at(x + SIZE, y - SIZE - height),
    at(x - width / 2, y - 2 * (SIZE + height)),
    at(x - width / 2, y + SIZE + 3 + height),
  ];
}

function isWithin(area: Area, plot: Area): boolean {
  return area.left >= plot.left && area.right <= plot.right && area.top >= plot.top && area.bottom <= plot.bottom;
}

function isOver(a: Area, b: Area): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A diamond where it is bad, a disc where it is good, else a ring. */
function symbol({ x, y, tone, time, label: text }: PlacedMark): string {
  const title = `<title>${escapedText(text === '' ? time : `${time}: ${text}`, 400)}</title>`;
  if (tone !== 'bad')
    return `<circle cx="${px(x)}" cy="${px(y)}" r="${tone === 'good' ? SIZE - 0.5 : SIZE - 1}" class="c-mark c-${tone}">${title}</circle>`;
  const [left, top, right, bottom] = [x - SIZE, y - SIZE, x + SIZE, y + SIZE].map(px);
  return `<path d="M${px(x)},${top}L${right},${px(y)}L${px(x)},${bottom}L${left},${px(y)}Z" class="c-mark c-bad">${title}</path>`;
}
