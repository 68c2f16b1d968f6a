/** The sizes of the last values, sorted: adding one costs a shift of a few dozen numbers, and no sorting. */
export class RecentSizes {
  readonly #queue: number[] = [];
  readonly ascending: number[] = [];

  constructor(private readonly most: number) {}

  add(value: number): void {
    const size = Math.abs(value);
    this.#queue.push(size);
    this.ascending.splice(this.#placeOf(size), 0, size);
    if (this.#queue.length > this.most) this.ascending.splice(this.#placeOf(this.#queue.shift() ?? 0), 1);
  }

  /** Index of the first size that is not smaller. */
  #placeOf(size: number): number {
    let [low, high] = [0, this.ascending.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ascending[middle] ?? 0) < size) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
