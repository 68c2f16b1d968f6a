import { number, plural } from '../../plural.js';
import { shorten } from '../../printable.js';
import { SEVERITIES } from '../../rule/index.js';
import { type Graph, noTally, type Tally } from '../model.js';
import { addTally } from '../run-graph.js';

/** Names of kinds, errors and notes that a picture lists; the rest is counted. */
const MOST_LISTED = 8;

/** Sentences about what a reader of the picture must not take for checked. Empty if everything was read, checked and drawn. */
export function caveatLines({ legend, complete, nodes }: Graph, omitted: readonly string[]): string[] {
  const outside = nodes.filter(({ presence }) => presence === 'outside').length;
  const missing = nodes.filter(({ presence }) => presence === 'missing').length;
  const kinds = (list: readonly { kind: string; count: number }[]) =>
    listed(
      list.map(({ kind, count }) => `${kind} (${number(count)})`),
      ', ',
    );
  const hidden = noTally();
  for (const part of legend.not_drawn) addTally(hidden, part);
  return [
    ...omitted,
    ...(legend.rules_selected === 0 ? ['No rule was selected: nothing was checked.'] : []),
    ...(legend.errors.length > 0 ? [`Not read or not evaluated: ${listed(legend.errors.map(errorText), ' · ')}`] : []),
    ...legend.notes.slice(0, MOST_LISTED).map(({ message }) => message),
    ...(legend.notes.length > MOST_LISTED ? [`${plural(legend.notes.length - MOST_LISTED, 'more note')} in the report.`] : []),
    ...(legend.not_listed.length > 0
      ? [
          `Could not be listed: ${listed(
            legend.not_listed.map(({ kind, reason }) => `${kind} (${reason})`),
            ', ',
          )}.`,
        ]
      : []),
    ...(legend.unchecked.length > 0 ? [`No selected rule checks: ${kinds(legend.unchecked)}.`] : []),
    ...(legend.not_drawn.length > 0
      ? [`In the input, but not drawn: ${kinds(legend.not_drawn)}. Findings on them: ${findingsText(hidden)}.`]
      : []),
    ...(hasFindings(legend.elsewhere) ? [`Findings on resources that are not in the graph: ${findingsText(legend.elsewhere)}.`] : []),
    ...(legend.undecided > 0 ? [undecidedText(legend)] : []),
    ...(legend.selectors_cut > 0
      ? [`${plural(legend.selectors_cut, 'selector')} not followed to all Pods, because there would be too many lines.`]
      : []),
    ...(missing > 0 ? [`Dashed: ${plural(missing, 'target')} of references missing, although the input is complete.`] : []),
    ...(outside > 0
      ? [
          `Dashed: ${plural(outside, 'target')} of references not in the input.${complete ? '' : ' With --complete, they count as missing.'}`,
        ]
      : []),
  ];
}

function undecidedText({ undecided, undecided_placed }: Graph['legend']): string {
  const text = `${plural(undecided, 'check')} could not be decided.`;
  return undecided_placed < undecided ? `${text} Boxes show ${number(undecided_placed)} of them, so that no box is green.` : text;
}

function errorText({ message, location }: Graph['legend']['errors'][number]): string {
  return location === null ? message : `${location.file}:${location.line}: ${message}`;
}

function listed(items: readonly string[], separator: string): string {
  const shown = items.slice(0, MOST_LISTED).map((item) => shorten(item, 200));
  const rest = items.length - shown.length;
  return `${shown.join(separator)}${rest > 0 ? `${separator}and ${number(rest)} more` : ''}`;
}

function hasFindings({ worst, errors, undecided, suppressed }: Tally): boolean {
  return worst !== null || errors + undecided + suppressed > 0;
}

/** `2 HIGH, 5 LOW`. */
export function findingsText({ findings, errors, undecided, suppressed }: Tally): string {
  const parts = [
    ...SEVERITIES.flatMap((severity) => (findings[severity] === undefined ? [] : [`${number(findings[severity])} ${severity}`])),
    ...(errors > 0 ? [plural(errors, 'rule error')] : []),
    ...(undecided > 0 ? [`${number(undecided)} undecided`] : []),
    ...(suppressed > 0 ? [`${number(suppressed)} accepted`] : []),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}
