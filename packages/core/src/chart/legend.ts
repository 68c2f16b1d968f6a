import { fitted, label, TEXT, WIDTH, widthOf } from './svg.js';

/** What a line, an area or a mark stands for. */
export interface LegendEntry {
  name: string;
  /** Draws the sample, whose left middle is at a place. */
  sample(x: number, y: number): string;
}

/** How wide a sample is. */
export const SAMPLE = 24;

const ROW = 20;
const LONGEST = 260;

/** Entries side by side, in as many rows as they need. */
export function legend(entries: readonly LegendEntry[]): { body: string; height: number } {
  let [x, y, body] = [0, ROW / 2, ''];
  for (const { name, sample } of entries) {
    const width = SAMPLE + 8 + widthOf(fitted(name, LONGEST));
    if (x > 0 && x + width > WIDTH) [x, y] = [0, y + ROW];
    body += sample(x, y) + label({ x: x + SAMPLE + 8, y: y + TEXT / 3, text: name }, LONGEST);
    x += width + 22;
  }
  return { body, height: entries.length === 0 ? 0 : y + ROW / 2 + 6 };
}
