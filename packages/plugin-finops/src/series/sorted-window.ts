/** Numbers that come and go, kept in order: the median of a window that slides costs no sorting. */
export class SortedWindow {
  readonly #sorted: Float64Array;
  #size = 0;

  /** @param most numbers that it ever holds at a time */
  constructor(most: number) {
    this.#sorted = new Float64Array(most);
  }

  /** Gaps (NaN) are passed over, here and in `remove`. */
  add(value: number): void {
    if (Number.isNaN(value)) return;
    const sorted = this.#sorted;
    let at = this.#size++;
    while (at > 0 && (sorted[at - 1] ?? 0) > value) {
      sorted[at] = sorted[at - 1] ?? 0;
      at -= 1;
    }
    sorted[at] = value;
  }

  /** Takes out one that was added. */
  remove(value: number): void {
    if (Number.isNaN(value)) return;
    const sorted = this.#sorted;
    let at = 0;
    while (at < this.#size && (sorted[at] ?? 0) < value) at += 1;
    this.#size -= 1;
    for (; at < this.#size; at++) sorted[at] = sorted[at + 1] ?? 0;
  }

  /** NaN where there is none. */
  median(): number {
    const middle = this.#size >> 1;
    const upper = this.#size === 0 ? Number.NaN : (this.#sorted[middle] ?? Number.NaN);
    return this.#size % 2 === 1 || this.#size === 0 ? upper : ((this.#sorted[middle - 1] ?? 0) + upper) / 2;
  }
}
