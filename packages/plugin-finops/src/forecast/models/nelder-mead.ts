interface Vertex {
  at: Float64Array;
  value: number;
}

/** Relative difference between best and worst vertex below which the search ends. */
const TOLERANCE = 1e-4;

/**
 * The simplex method for a minimum without derivatives.
 * Source: J. A. Nelder and R. Mead, "A simplex method for function minimization" (1965), with its coefficients 1, 2, ½ and ½.
 * @param most evaluations
 */
export function nelderMead(cost: (at: Float64Array) => number, start: Float64Array, step: number, most: number): Float64Array {
  let count = 0;
  const vertexAt = (at: Float64Array): Vertex => {
    count += 1;
    const value = cost(at);
    return { at, value: Number.isFinite(value) ? value : Number.MAX_VALUE };
  };
  const simplex = [
    vertexAt(start),
    ...Array.from(start, (_, axis) => vertexAt(start.map((value, at) => value + (at === axis ? step : 0)))),
  ];
  const byValue = (a: Vertex, b: Vertex) => a.value - b.value;
  simplex.sort(byValue);
  while (count < most) {
    const [best, worst] = [simplex[0], simplex.at(-1)];
    if (!best || !worst || worst.value - best.value <= TOLERANCE * Math.abs(best.value)) break;
    const next = simplex.at(-2) ?? best;
    const centre = centreOf(simplex, start.length);
    const along = (factor: number) => vertexAt(between(centre, worst.at, factor));
    const reflected = along(-1);
    if (reflected.value < best.value) {
      const expanded = along(-2);
      simplex[start.length] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < next.value) simplex[start.length] = reflected;
    else {
      const contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
      if (contracted.value < Math.min(reflected.value, worst.value)) simplex[start.length] = contracted;
      else
        for (let index = 1; index < simplex.length; index++)
          simplex[index] = vertexAt(best.at.map((value, axis) => (value + (simplex[index]?.at[axis] ?? 0)) / 2));
    }
    simplex.sort(byValue);
  }
  return simplex[0]?.at ?? start;
}

/** The mean of the first vertices. */
function centreOf(simplex: readonly Vertex[], count: number): Float64Array {
  const centre = new Float64Array(count);
  for (let axis = 0; axis < count; axis++) {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += simplex[index]?.at[axis] ?? 0;
    centre[axis] = sum / count;
  }
  return centre;
}

/** From one point towards another, or away from it. */
function between(from: Float64Array, to: Float64Array, factor: number): Float64Array {
  const point = new Float64Array(from.length);
  for (let axis = 0; axis < from.length; axis++) {
    const value = from[axis] ?? 0;
    point[axis] = value + factor * ((to[axis] ?? 0) - value);
  }
  return point;
}
