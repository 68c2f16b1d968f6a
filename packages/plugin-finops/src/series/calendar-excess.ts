/** Excess that repeats must be so large a part of the level, and differ by no more than this factor from month to month. */
const LEAST_SHARE = 0.15;
const MOST_RATIO = 2.5;

/** Amounts that differ by no more are the same. */
const SAME_AMOUNT = 0.1;

/** Days before the end of a month that are looked at: later ones are reached by the day of the month as well. */
const LAST_DAYS = 3;

/** What comes beside the level on certain days of the month, such as a fee on the first: learnt from the months before. */
export class CalendarExcess {
  readonly #byDay = new Map<number, number[]>();
  readonly #byEnd = new Map<number, number[]>();

  constructor(
    private readonly dayOfMonth: Uint8Array,
    private readonly daysToEnd: Uint8Array,
  ) {}

  /** The excess to be expected at an index; 0 where nothing has repeated. */
  expected(index: number, level: number): number {
    const byDay = repeated(this.#byDay.get(this.dayOfMonth[index] ?? 0), level);
    return byDay === 0 ? repeated(this.#byEnd.get(this.daysToEnd[index] ?? 0), level) : byDay;
  }

  /** Whether the same amount came on this day of an earlier month: a second fee, before it has become a habit. */
  isRepeated(index: number, excess: number): boolean {
    return (this.#byDay.get(this.dayOfMonth[index] ?? 0) ?? []).some((known) => Math.abs(excess - known) <= SAME_AMOUNT * Math.abs(known));
  }

  /** Takes in what an index had beside its level. */
  learn(index: number, excess: number): void {
    add(this.#byDay, this.dayOfMonth[index] ?? 0, excess);
    const left = this.daysToEnd[index] ?? LAST_DAYS;
    if (left < LAST_DAYS) add(this.#byEnd, left, excess);
  }
}

function add(known: Map<number, number[]>, key: number, excess: number): void {
  const last = known.get(key);
  if (!last) known.set(key, [excess]);
  else {
    last.push(excess);
    if (last.length > 3) last.shift();
  }
}

/** The middle of the last three, where the last two are alike and worth it. */
function repeated(excesses: readonly number[] | undefined, level: number): number {
  const [last, before] = [excesses?.at(-1), excesses?.at(-2)];
  if (!excesses || last === undefined || before === undefined || Math.sign(last) !== Math.sign(before)) return 0;
  const [small, large] = [Math.min(Math.abs(last), Math.abs(before)), Math.max(Math.abs(last), Math.abs(before))];
  if (small <= LEAST_SHARE * Math.abs(level) || large > MOST_RATIO * small) return 0;
  const ordered = [...excesses].sort((a, b) => a - b);
  return ordered.length === 3 ? (ordered[1] ?? 0) : (last + before) / 2;
}
