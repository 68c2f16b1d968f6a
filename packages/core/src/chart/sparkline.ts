const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** How wide a line of blocks may be, and what its lowest and highest block mean; absent: the lowest and highest value. */
export interface SparklineOptions {
  width: number;
  low?: number;
  high?: number;
}

/** Values as one line of blocks for a terminal; a gap is a space. More values than columns share a column, which shows their mean. */
export function sparkline(values: readonly (number | null)[], { width, low, high }: SparklineOptions): string {
  const columns = columnsOf(values, Math.max(1, Math.floor(width)));
  const known = columns.filter((value) => value !== null);
  const [from, to] = [low ?? Math.min(...known), high ?? Math.max(...known)];
  return columns.map((value) => (value === null ? ' ' : blockOf(to > from ? (value - from) / (to - from) : 0.5))).join('');
}

function columnsOf(values: readonly (number | null)[], width: number): (number | null)[] {
  if (values.length <= width) return [...values];
  return Array.from({ length: width }, (_, column) => {
    const part = values.slice(Math.floor((column * values.length) / width), Math.floor(((column + 1) * values.length) / width));
    const known = part.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

function blockOf(share: number): string {
  return STEPS[Math.min(STEPS.length - 1, Math.max(0, Math.floor(share * STEPS.length)))] ?? ' ';
}
