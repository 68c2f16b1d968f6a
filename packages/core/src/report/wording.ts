import type { Location } from '../errors.js';
import type { Finding, Score, Summary } from '../evaluate/index.js';
import { number, plural } from '../plural.js';
import { printable } from '../printable.js';
import { groupOf, isFileGroup } from '../resource/index.js';
import { SEVERITIES } from '../rule/index.js';
import { SCORE_CAPS } from '../score/index.js';

export { number, plural };

/**
 * `Deployment shop/web`, `Namespace shop`, `audit.k8s.io/Policy` for a configuration file, which has no name, or the address of a Terraform resource,
 * which names its type already.
 */
export function resourceName({ api_version, kind, namespace, name }: Finding['resource']): string {
  const group = groupOf(api_version);
  if (name === '' && isFileGroup(group)) return `${printable(group)}/${printable(kind)}`;
  const shown = printable(name) || '(unnamed)';
  if (api_version === 'terraform' && name !== '') return shown;
  return `${printable(kind)} ${namespace === null ? '' : `${printable(namespace)}/`}${shown}`;
}

/** `deploy/web.yaml:12:7`, or what stands for it where the object was not read from a file. */
export function placeOf(location: Finding['location'], without = 'no file'): string {
  if (location === null) return without;
  return location.rendered_from === undefined ? `${printable(location.file)}:${location.line}:${location.column}` : fileOf(location);
}

/** `deploy/web.yaml`, or `chart/templates/web.yaml (rendered from chart)`. */
export function fileOf({ file, rendered_from }: Location): string {
  return rendered_from === undefined ? printable(file) : `${printable(file)} (rendered from ${printable(rendered_from)})`;
}

/** `48.4`, `100`, or a dash where there is no score. */
export function scoreText(score: number | null): string {
  return score === null ? '–' : String(score);
}

/** What a reader must know to read the score: empty if there is nothing to add. */
export function scoreNotes(score: Score, summary: Summary): string[] {
  const notes: string[] = [];
  if (score.overall === null) notes.push(whyNoScore(score, summary));
  const cap = SEVERITIES.find((severity) => summary.by_severity[severity] > 0 && SCORE_CAPS[severity] === score.overall);
  if (cap !== undefined) notes.push(`capped at ${score.overall} by ${plural(summary.by_severity[cap], `${cap.toLowerCase()} finding`)}`);
  if (score.score_without_waivers !== null && score.score_without_waivers !== score.overall)
    notes.push(`${scoreText(score.score_without_waivers)} without exceptions`);
  if (score.low !== score.high) notes.push(`${scoreText(score.low)} to ${scoreText(score.high)} once unknown values are known`);
  if (score.coverage < 1) notes.push(`${Math.floor(score.coverage * 1000) / 10} % of the input could be read`);
  return notes;
}

function whyNoScore({ coverage }: Score, { resources, unchecked, undecided }: Summary): string {
  if (coverage < 0.5) return 'no score: less than half of the input could be read';
  if (resources > 0 && uncheckedCount({ unchecked }) === resources) return 'no score: nothing was checked';
  return undecided === undefined ? 'no score: no rule applied to anything' : 'no score: no check could be decided';
}

/** ` for 3 of 72 resources; 69 not checked`, or nothing if every resource was checked. */
export function scoreScope(summary: Summary): string {
  const missing = uncheckedCount(summary);
  const { resources } = summary;
  if (missing === 0 || missing === resources) return '';
  return ` for ${number(resources - missing)} of ${plural(resources, 'resource')}; ${number(missing)} not checked`;
}

/** Kinds of which a report names no more than these. */
const MOST_KINDS = 10;

/** `Not checked: 7 resources of kinds no rule covers: ClusterRole 2, Service 1 and 3 more kinds.`; empty if every kind is covered. */
export function uncheckedText(summary: Pick<Summary, 'unchecked'>, most: number = MOST_KINDS): string {
  const { unchecked } = summary;
  if (unchecked.length === 0) return '';
  const named = unchecked.slice(0, most).map(({ kind, count }) => `${printable(kind)} ${number(count)}`);
  const rest = unchecked.length - named.length;
  const what = `${plural(uncheckedCount(summary), 'resource')} of ${unchecked.length === 1 ? 'a kind' : 'kinds'} no rule covers`;
  return `Not checked: ${what}: ${named.join(', ')}${rest > 0 ? ` and ${plural(rest, 'more kind')}` : ''}.`;
}

/** The number of resources that no selected rule covers. */
export function uncheckedCount({ unchecked }: Pick<Summary, 'unchecked'>): number {
  return unchecked.reduce((sum, { count }) => sum + count, 0);
}

/** `12 checks undecided`; empty if everything could be decided. */
export function undecidedCount({ undecided }: Pick<Summary, 'undecided'>): string {
  return undecided === undefined ? '' : `${plural(undecided.checks, 'check')} undecided`;
}

/** `Undecided: 12 checks; the most frequent reason, in 9: The value is known only after apply.`; empty if everything could be decided. */
export function undecidedText({ undecided }: Pick<Summary, 'undecided'>): string {
  if (undecided === undefined) return '';
  const [most, ...others] = undecided.reasons;
  const why =
    most === undefined
      ? '.'
      : others.length === 0
        ? `: ${printable(most.message)}`
        : `; the most frequent reason, in ${number(most.count)}: ${printable(most.message)}`;
  return `Undecided: ${plural(undecided.checks, 'check')}${why}`;
}

/** An object without a file: given over the network, or read from a cluster. */
export const NO_FILE = 'Without a file';
