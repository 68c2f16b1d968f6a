import { formatAmount } from '../series/format-amount.js';
import type { Anomaly } from './anomaly.js';

/** An anomaly in a sentence or two: what, when, by how much, where it comes from, and why. */
export function explanationOf(anomaly: Omit<Anomaly, 'explanation'>, leaves: number): string {
  return `${whatHappened(anomaly)}${whereFrom(anomaly, leaves)}${why(anomaly)}.`;
}

function whatHappened({ kind, dimensions, monitor, start, end, actual, expected, impact, currency }: Omit<Anomaly, 'explanation'>): string {
  const what = monitor[0] === '*' ? 'Total cost' : `Cost of ${Object.values(dimensions).join(', ')}`;
  const when = start === end ? `on ${start}` : `from ${start} to ${end}`;
  const until = start === end ? '' : ` until ${end}`;
  switch (kind) {
    case 'new-series':
      return `${what} starts on ${start}: ${formatAmount(actual, currency)}${until}`;
    case 'ended-series':
      return `${what} stops: no cost ${when} instead of the expected ${formatAmount(expected, currency)}`;
    case 'ramp':
      return `${what} ${impact > 0 ? 'rises gradually' : 'falls gradually'} ${when}: ${formatAmount(actual, currency)} instead of ${formatAmount(expected, currency)}`;
    case 'level-shift':
      return `${what} moves to a new level on ${start}: ${formatAmount(actual, currency)}${until}, ${times(actual, expected)} the expected ${formatAmount(expected, currency)}`;
    default:
      return `${what} is ${formatAmount(actual, currency)} ${when}, ${times(actual, expected)} the expected ${formatAmount(expected, currency)}`;
  }
}

function whereFrom({ drivers, impact }: Omit<Anomaly, 'explanation'>, leaves: number): string {
  const [first] = drivers;
  if (!first || leaves < 2 || Object.keys(first.dimensions).length === 0) return '';
  const part = Object.entries(first.dimensions).map(([name, value]) => `${name} ${value}`);
  const share = Math.round(first.share * 100);
  return share > 0 ? `; ${share} % of the ${impact > 0 ? 'rise' : 'fall'} comes from ${part.join(', ')}` : '';
}

const WORDS: { readonly [kind in Anomaly['causes'][number]['kind']]: string } = {
  usage: 'a change in usage',
  'unit-price': 'a change in unit price',
  'commitment-coverage': 'a change in commitment coverage',
  'new-resource': 'new resources',
  'removed-resource': 'removed resources',
  'one-off-purchase': 'a one-time charge',
  mix: 'a change in the usage mix',
};

function why({ causes }: Omit<Anomaly, 'explanation'>): string {
  const [first] = causes;
  return first === undefined || first.share < 0.5 ? '' : `; the main cause is ${WORDS[first.kind]} (${Math.round(first.share * 100)} %)`;
}

/** `4.0 times`, `1.2 times`, `51 % of`. */
function times(actual: number, expected: number): string {
  if (expected <= 0) return 'not';
  const ratio = actual / expected;
  if (ratio < 1) return `${Math.round(ratio * 100)} % of`;
  return `${ratio.toFixed(ratio < 1.995 ? 2 : ratio < 10 ? 1 : 0)} times`;
}
