import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processor time of the threads of a process, in microseconds. */
export interface ThreadTime {
  main: number;
  /** By id; of a server with the SQLite store, the busiest is the writer. */
  workers: ReadonlyMap<string, number>;
  /** All threads together, with those of V8 and libuv. */
  all: number;
}

/** What the threads have used so far: unlike a rate, it hardly depends on what else the machine does. Linux only; undefined elsewhere. */
export function threadTime(pid: number): ThreadTime | undefined {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(`${folder}/${pid}/schedstat`)) return undefined;
  const threads = readdirSync(folder).map((id) => ({
    id,
    name: textOf(`${folder}/${id}/comm`),
    time: timeOf(`${folder}/${id}/schedstat`),
  }));
  return {
    main: threads.find(({ id }) => id === String(pid))?.time ?? 0,
    workers: new Map(threads.flatMap(({ id, name, time }) => (name.startsWith('WorkerThread') ? [[id, time] as const] : []))),
    all: threads.reduce((sum, { time }) => sum + time, 0),
  };
}

/** What was used between two looks, for one of `count` units of work. `helpers`: the threads of V8 and libuv. */
export function timePerUnit(
  before: ThreadTime,
  after: ThreadTime,
  count: number,
): { main: number; writer: number; others: number; helpers: number; all: number } {
  const workers = [...after.workers].map(([id, time]) => time - (before.workers.get(id) ?? 0)).sort((a, b) => b - a);
  const [main, all] = [after.main - before.main, after.all - before.all];
  const [writer = 0, ...rest] = workers;
  const others = rest.reduce((sum, time) => sum + time, 0);
  const each = (time: number) => Math.round(time / count);
  return { main: each(main), writer: each(writer), others: each(others), helpers: each(all - main - writer - others), all: each(all) };
}

/** The first number is nanoseconds on a processor (https://docs.kernel.org/scheduler/sched-stats.html). */
function timeOf(path: string): number {
  return Number(textOf(path).split(' ', 1)[0]) / 1000;
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8').trim();
}
