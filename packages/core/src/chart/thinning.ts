/** A point of a line, in units of the drawing; `y` is null in a gap. */
export interface LinePoint {
  x: number;
  y: number | null;
}

/** A point of a band; null in a gap. */
export interface BandPoint {
  x: number;
  edges: { lower: number; upper: number } | null;
}

/**
 * The points that show: where many share a column of pixels, its first, highest, lowest and last. The line looks as with all points, and no
 * peak is lost.
 */
export function thinnedLine(points: readonly LinePoint[], columns: number): LinePoint[] {
  if (points.length <= 2 * columns) return [...points];
  return byColumn(points).flatMap((column) => {
    const known = column.filter(({ y }) => y !== null);
    if (known.length === 0) return column.slice(0, 1);
    const height = ({ y }: LinePoint) => y ?? 0;
    const highest = known.reduce((best, point) => (height(point) < height(best) ? point : best));
    const lowest = known.reduce((best, point) => (height(point) > height(best) ? point : best));
    return known.filter((point, i) => i === 0 || i === known.length - 1 || point === highest || point === lowest);
  });
}

/** The band that covers all points of each column. */
export function thinnedBand(points: readonly BandPoint[], columns: number): BandPoint[] {
  if (points.length <= 2 * columns) return [...points];
  return byColumn(points).flatMap((column) => {
    const [first] = column;
    const known = column.flatMap(({ edges }) => edges ?? []);
    if (!first || known.length === 0) return column.slice(0, 1);
    // Heights are counted from the top: the upper edge is the smaller number.
    const lower = known.reduce((most, edges) => Math.max(most, edges.lower), Number.NEGATIVE_INFINITY);
    const upper = known.reduce((least, edges) => Math.min(least, edges.upper), Number.POSITIVE_INFINITY);
    return [{ x: first.x, edges: { lower, upper } }];
  });
}

function byColumn<Point extends { x: number }>(points: readonly Point[]): Point[][] {
  const columns: Point[][] = [];
  let current: { at: number; points: Point[] } | undefined;
  for (const point of points) {
    const at = Math.floor(point.x);
    if (current?.at !== at) {
      current = { at, points: [] };
      columns.push(current.points);
    }
    current.points.push(point);
  }
  return columns;
}
