/** Refused requests since the start, for `GET /v1/status`. */
export interface RefusalCounts {
  /** Counts an answer, if it is a refusal. */
  count(status: number, code: string | undefined): void;
  read(): { total: number; by_status: { [status: string]: number }; by_code: { [code: string]: number }; since: string };
}

/** @param since RFC 3339 of the start */
export function refusalCounts(since: string): RefusalCounts {
  let total = 0;
  const byStatus = new Map<string, number>();
  const byCode = new Map<string, number>();
  return {
    count: (status, code) => {
      if (status < 400) return;
      total++;
      increment(byStatus, String(status));
      if (code !== undefined) increment(byCode, code);
    },
    read: () => ({ total, by_status: sorted(byStatus), by_code: sorted(byCode), since }),
  };
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): { [name: string]: number } {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
