import type { Band, View } from './view.js';

/** Sizes in units of the drawing. */
export const BOX = { width: 270, height: 40, columnGap: 110, rowGap: 12 };

const MARGIN = 16;

/** Room right of the last column, for lines between boxes of one column. */
const LOOPS = 40;
const BAND_TITLE = 30;
const BAND_GAP = 22;

/** Where the boxes and the frames of the bands are: top left corners. */
export interface Layout {
  boxes: ReadonlyMap<string, { x: number; y: number }>;
  frames: { title: string; x: number; y: number; width: number; height: number }[];
  width: number;
  height: number;
}

/**
 * Places every node in its column, and the bands one below the other. In a column, nodes are ordered by the middle of their neighbours, and as near to them
 * as they can be without touching one another. The work grows with nodes and edges, and nothing depends on chance.
 */
export function layoutOf({ bands, edges }: View): Layout {
  const columns = [...new Set(bands.flatMap(({ nodes }) => nodes.map(({ column }) => column)))].sort((a, b) => a - b);
  const xOf = new Map(columns.map((column, index) => [column, MARGIN * 2 + index * (BOX.width + BOX.columnGap)]));
  const width = MARGIN * 4 + LOOPS + columns.length * BOX.width + Math.max(0, columns.length - 1) * BOX.columnGap;
  const boxes = new Map<string, { x: number; y: number }>();
  const frames: Layout['frames'] = [];
  let top = MARGIN;
  for (const band of bands) {
    const tops = placedBand(band, edges);
    for (const { id, column } of band.nodes) boxes.set(id, { x: xOf.get(column) ?? 0, y: top + BAND_TITLE + (tops.get(id) ?? 0) });
    const height = BAND_TITLE + Math.max(...tops.values()) + BOX.height + MARGIN;
    frames.push({ title: band.title, x: MARGIN, y: top, width: width - 2 * MARGIN, height });
    top += height + BAND_GAP;
  }
  return { boxes, frames, width, height: top - BAND_GAP + MARGIN };
}

const SWEEPS = 12;
const STEP = BOX.height + BOX.rowGap;

/** The tops of the nodes of a band; the highest is 0. */
function placedBand({ nodes }: Band, edges: View['edges']): Map<string, number> {
  const neighbours = neighboursOf(nodes, edges);
  const columns = [...Map.groupBy(nodes, ({ column }) => column)].sort(([a], [b]) => a - b).map(([, own]) => own.map(({ id }) => id));
  const tops = new Map(columns.flatMap((ids) => ids.map((id, row) => [id, row * STEP])));
  const middle = (id: string) => {
    let [sum, weights] = [0, 0];
    for (const { other, weight } of neighbours.get(id) ?? []) {
      // What everything refers to draws nothing to itself.
      const pull = weight / (neighbours.get(other)?.length ?? 1);
      sum += pull * (tops.get(other) ?? 0);
      weights += pull;
    }
    return weights === 0 ? undefined : sum / weights;
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed()) {
      const wanted = new Map(column.map((id) => [id, middle(id) ?? tops.get(id) ?? 0]));
      column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0) || (tops.get(a) ?? 0) - (tops.get(b) ?? 0));
      const placed = separated(column.map((id) => wanted.get(id) ?? 0));
      for (const [row, id] of column.entries()) tops.set(id, placed[row] ?? 0);
    }
  const highest = Math.min(...tops.values());
  return new Map([...tops].map(([id, top]) => [id, Math.round(top - highest)]));
}

function neighboursOf(nodes: Band['nodes'], edges: View['edges']): Map<string, { other: string; weight: number }[]> {
  const columns = new Map(nodes.map(({ id, column }) => [id, column]));
  const neighbours = new Map<string, { other: string; weight: number }[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to, weight } of edges) {
    const [left, right] = [columns.get(from), columns.get(to)];
    if (left === undefined || right === undefined || left === right) continue;
    neighbours.get(from)?.push({ other: to, weight });
    neighbours.get(to)?.push({ other: from, weight });
  }
  return neighbours;
}

/**
 * The places nearest to the wanted ones, in the same order and a step apart: least squares under an order, by pooling neighbours that are too near
 * (the pool-adjacent-violators algorithm: Barlow et al., Statistical Inference under Order Restrictions, 1972).
 * @param wanted in ascending order
 */
function separated(wanted: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const [row, place] of wanted.entries()) {
    let pool = { sum: place - row * STEP, count: 1 };
    for (let before = pools.at(-1); before && before.sum / before.count > pool.sum / pool.count; before = pools.at(-1)) {
      pool = { sum: before.sum + pool.sum, count: before.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const places: number[] = [];
  for (const { sum, count } of pools) for (let i = 0; i < count; i++) places.push(sum / count + places.length * STEP);
  return places;
}
