import type { AnswerWarning } from '@bylaw/core/answer';
import { shorten } from '@bylaw/core/report/printable';

/** A chart as answers show it. */
export interface CostChart {
  /** Identifier of the series or forecast that it shows. */
  id: string;
  currency: string;
  title: string;
  /** SVG that needs no page. */
  svg: string;
}

/** More charts are not looked at; tables and the answer as JSON have all. */
export const MOST_CHARTS = 25;

/** What could be drawn: the largest, in their order, and the rest. */
export interface Chosen<One> {
  drawn: One[];
  left: One[];
}

export function chosen<One>(all: readonly One[]): Chosen<One> {
  return { drawn: all.slice(0, MOST_CHARTS), left: all.slice(MOST_CHARTS) };
}

const MOST_NAMES = 10;
const LONGEST_NAME = 200;

/** Says what has no chart. */
export function leftOutWarning(names: readonly string[]): AnswerWarning[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  const named = names.slice(0, MOST_NAMES).map((name) => shorten(name, LONGEST_NAME));
  const message = `Only the ${MOST_CHARTS} largest have a chart. Without a chart: ${named.join('; ')}${more}.`;
  return [{ code: 'charts-left-out', message, path: '' }];
}
