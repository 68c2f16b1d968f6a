import { scaleUtc } from 'd3-scale';
import { fitted, widthOf } from './svg.js';

/** Where buckets are on the axis of time, which is UTC. */
export interface TimeScale {
  at(index: number): number;
  /** Labels in the order of time, none over another. */
  ticks: readonly { at: number; text: string }[];
}

/** Between labels, and at most for one. */
const SPACE = 14;
const ROOM = 110;

/** Texts that are not times, or not in their order, stand side by side at equal distances. */
export function timeScale(times: readonly string[], { from, to }: { from: number; to: number }): TimeScale {
  const instants = times.map((time) => Date.parse(time));
  const [first, last] = [instants[0] ?? Number.NaN, instants.at(-1) ?? Number.NaN];
  const inOrder = instants.every((instant, i) => i === 0 || instant >= (instants[i - 1] ?? Number.NaN));
  if (!inOrder || !(last > first)) return evenScale(times, { from, to });
  const scale = scaleUtc().domain([first, last]).range([from, to]);
  const ticks = ticksOf(scale.ticks(Math.max(2, Math.floor((to - from) / ROOM))), instants);
  const texts = timeTexts(ticks);
  return {
    at: (index) => scale(instants[index] ?? first),
    ticks: apart(ticks.map((tick, i) => ({ at: scale(tick), text: texts[i] ?? '' }))),
  };
}

/** Where there are so few buckets that ticks would fall within them, the buckets themselves. */
function ticksOf(ticks: Date[], instants: readonly number[]): Date[] {
  const shortest = Math.min(...instants.slice(1, ticks.length).map((instant, i) => instant - (instants[i] ?? instant)));
  const [first, second] = ticks;
  const isFiner =
    instants.length < ticks.length && first !== undefined && second !== undefined && second.getTime() - first.getTime() < shortest;
  return isFiner ? instants.map((instant) => new Date(instant)) : ticks;
}

function evenScale(times: readonly string[], { from, to }: { from: number; to: number }): TimeScale {
  const at = (index: number) => (times.length < 2 ? (from + to) / 2 : from + ((to - from) * index) / (times.length - 1));
  const room = times.length < 2 ? to - from : ROOM;
  const every = Math.max(1, Math.ceil(times.length / Math.floor((to - from) / ROOM)));
  return { at, ticks: apart(times.flatMap((time, i) => (i % every === 0 ? [{ at: at(i), text: fitted(plain(time), room) }] : []))) };
}

/** An instant without what it says of seconds and of the zone, which is UTC everywhere; other texts as they are. */
function plain(time: string): string {
  const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/.exec(time);
  return instant ? `${instant[1]} ${instant[2]}` : time;
}

/** As short as the distance of the ticks allows; the first, and what begins a new day or year, says more. */
function timeTexts(ticks: readonly Date[]): string[] {
  const all = (test: (tick: Date) => boolean) => ticks.every(test);
  const isMidnight = (tick: Date) => tick.getTime() % 86_400_000 === 0;
  if (all((tick) => isMidnight(tick) && tick.getUTCDate() === 1 && tick.getUTCMonth() === 0)) return ticks.map(yearOf);
  if (all((tick) => isMidnight(tick) && tick.getUTCDate() === 1))
    return ticks.map((tick, i) => `${monthOf(tick)}${i === 0 || tick.getUTCMonth() === 0 ? ` ${yearOf(tick)}` : ''}`);
  const newYear = (tick: Date, i: number) => i === 0 || yearOf(tick) !== yearOf(ticks[i - 1] ?? tick);
  if (all(isMidnight)) return ticks.map((tick, i) => `${dayOf(tick)}${newYear(tick, i) ? ` ${yearOf(tick)}` : ''}`);
  const step = (ticks[1]?.getTime() ?? 0) - (ticks[0]?.getTime() ?? 0);
  const end = step >= 60_000 ? 16 : step >= 1_000 ? 19 : 23;
  return ticks.map((tick, i) => {
    const time = tick.toISOString().slice(-24).slice(11, end);
    return i === 0 ? `${dayOf(tick)} ${time}` : isMidnight(tick) ? dayOf(tick) : time;
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function monthOf(tick: Date): string {
  return MONTHS[tick.getUTCMonth()] ?? '';
}

function dayOf(tick: Date): string {
  return `${tick.getUTCDate()} ${monthOf(tick)}`;
}

function yearOf(tick: Date): string {
  return String(tick.getUTCFullYear());
}

function apart(ticks: readonly { at: number; text: string }[]): { at: number; text: string }[] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.filter(({ at, text }) => {
    const half = widthOf(text) / 2;
    if (at - half < end + SPACE) return false;
    end = at + half;
    return true;
  });
}
