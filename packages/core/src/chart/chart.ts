/**
 * Charts as SVG texts: same input, same bytes. Colours follow the page (light, dark, print) through CSS classes; every chart has a title and a
 * description for readers that cannot see it. Numbers have at most two decimals, identifiers come from the content.
 */

/** Values over time with a band around them: what was expected or forecast, marks on single points, and level lines. */
export interface BandChart {
  title: string;
  description: string;
  /** Label of the value axis with its unit: `USD per day`. */
  unit: string;
  /** Start of each bucket, ISO 8601, in the order of time. */
  times: readonly string[];
  /** Lines, one value per time, what is evaluated first; null is a gap. */
  lines: readonly { name: string; kind: 'actual' | 'expected' | 'trend'; values: readonly (number | null)[] }[];
  /** Bands, the widest first. One that is `open` may leave the drawing where it is far from all lines, which would be flat beside it. */
  bands: readonly { name: string; lower: readonly (number | null)[]; upper: readonly (number | null)[]; open?: boolean }[];
  /** Points to look at, the most important first; `index` into the times. A label that finds no room is shown on pointing only. */
  marks: readonly { index: number; value: number; label: string; tone: 'bad' | 'good' | 'neutral' }[];
  /** Horizontal lines, such as a budget. */
  levels: readonly { name: string; value: number }[];
  /** Vertical line, such as the end of the history. */
  divider?: { index: number; name: string };
  /** What the value axis holds at least, such as 0 to 100. */
  range?: { low: number; high: number };
}

/** Amounts by group, each with its range; parts, where given, are stacked and make up the value. */
export interface BarChart {
  title: string;
  description: string;
  /** Unit of the values: `kg CO2e`. */
  unit: string;
  bars: readonly { name: string; value: number; low?: number; high?: number; parts?: readonly { name: string; value: number }[] }[];
}

/** How far each cause of uncertainty alone moves a result: the result at the low and at the high end of the cause's range. */
export interface Tornado {
  title: string;
  description: string;
  /** Unit of the result: `kg CO2e`. */
  unit: string;
  /** The result with every cause at its middle. */
  value: number;
  causes: readonly { name: string; low: number; high: number }[];
}
