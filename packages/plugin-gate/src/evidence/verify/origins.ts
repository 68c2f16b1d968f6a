import { isJsonObject, type Json } from '../../json/index.js';

/** `data.action` of the record that says that an entry was taken out before it was numbered, and which one. */
export const DROP_ACTION = 'quarantine.drop';

/**
 * Follows the numbers that replicas give to what they accept. A number that is missing is an entry that was removed before it
 * was numbered, unless it comes later (it was in quarantine), an act names it as dropped, or an erased record was it.
 */
export interface OriginWalk {
  /** @returns false when the record names an origin that cannot be, or one that another record has */
  next(record: { seq: number; data: Json }): boolean;
  /** Records before which entries are missing, by number. Only at the end of the range it is certain that nothing explains them. */
  missing(): number[];
}

interface Gap {
  /** Record that showed it. */
  seq: number;
  first: number;
  last: number;
  /** Numbers in it that are explained. */
  explained: Set<number>;
  /** How many more may have been erased records. */
  erased: number;
}

/** In a range that does not begin with the chain, the first number of a replica says nothing. */
export function originWalk(): OriginWalk {
  const replicas = new Map<string, { first: number; last: number; gaps: Gap[] }>();
  const dropped = new Map<string, Set<number>>();
  let begin: number | undefined;
  /** Erased records that no gap has used up. */
  let erasures = 0;

  const count = (seq: number, replica: string, n: number): boolean => {
    const known = replicas.get(replica) ?? { first: begin === 0 ? 1 : n, last: begin === 0 ? 0 : n - 1, gaps: [] };
    replicas.set(replica, known);
    if (n <= known.last) return fill(known, n);
    const hole = n - known.last - 1;
    if (hole > 0) {
      const erased = Math.min(hole, erasures);
      erasures -= erased;
      known.gaps.push({ seq, first: known.last + 1, last: n - 1, explained: new Set(), erased });
    }
    known.last = n;
    return true;
  };
  const fill = ({ first, gaps }: { first: number; gaps: Gap[] }, n: number): boolean => {
    if (n < first) return begin !== 0;
    const gap = gaps.find((one) => one.first <= n && n <= one.last && !one.explained.has(n));
    gap?.explained.add(n);
    return gap !== undefined;
  };
  return {
    next({ seq, data }) {
      begin ??= seq;
      if (data === null) erasures++;
      if (!isJsonObject(data) || seq === 0) return true;
      const { origin, action, replica, n } = data;
      if (action === DROP_ACTION && typeof replica === 'string' && isCount(n))
        dropped.set(replica, (dropped.get(replica) ?? new Set()).add(n));
      if (!isJsonObject(origin)) return true;
      const { replica: name, n: number } = origin;
      return typeof name === 'string' && isCount(number) && count(seq, name, number);
    },
    missing: () =>
      [...replicas]
        .flatMap(([replica, { gaps }]) => gaps.filter((gap) => isOpen(gap, dropped.get(replica))).map(({ seq }) => seq))
        .sort((a, b) => a - b),
  };
}

function isOpen({ first, last, explained, erased }: Gap, dropped: ReadonlySet<number> = new Set()): boolean {
  const named = [...dropped].filter((n) => first <= n && n <= last && !explained.has(n)).length;
  return last - first + 1 > explained.size + named + erased;
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
