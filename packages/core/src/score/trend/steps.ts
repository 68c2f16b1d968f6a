/**
 * The chance that steps which rise and fall like tosses of a coin are as one-sided as these: the two-sided sign test of the differences between successive
 * values, equal ones left out. It holds however much successive values resemble each other, because a random walk has such steps, and is exact.
 * Source: W. J. Dixon and A. M. Mood, "The Statistical Sign Test" (1946), section 2.
 * @returns 1 where nothing moves
 */
export function stepPValue(values: readonly number[]): number {
  const steps = values.slice(1).flatMap((value, index) => Math.sign(value - (values[index] ?? value)) || []);
  const rises = steps.filter((step) => step > 0).length;
  const fewer = Math.min(rises, steps.length - rises);
  let ways = 1;
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    tail += ways;
    ways = (ways * (steps.length - k)) / (k + 1);
  }
  return steps.length === 0 ? 1 : Math.min(1, (2 * tail) / 2 ** steps.length);
}
