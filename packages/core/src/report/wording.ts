import type { Location } from '../errors.js';
import type { Finding, Score } from '../evaluate/index.js';
import { printable } from '../printable.js';

/** `1,234`, in every locale. */
export function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 finding`, `1,234 findings`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** `Deployment shop/web`, `Namespace shop`, or the address of a Terraform resource, which names its type already. */
export function resourceName({ api_version, kind, namespace, name }: Finding['resource']): string {
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

/** What a reader must know to read the score: empty where there is nothing to add. */
export function scoreNotes(score: Score): string[] {
  const notes: string[] = [];
  if (score.overall === null)
    notes.push(score.coverage < 0.5 ? 'no score: less than half of the input could be judged' : 'no score: no rule applied to anything');
  if (score.score_without_waivers !== null && score.score_without_waivers !== score.overall)
    notes.push(`${scoreText(score.score_without_waivers)} without exceptions`);
  if (score.low !== score.high) notes.push(`${scoreText(score.low)} to ${scoreText(score.high)} once unknown values are known`);
  if (score.coverage < 1) notes.push(`${Math.floor(score.coverage * 1000) / 10} % of the input could be judged`);
  return notes;
}

/** An object without a file: given over the network, or read from a cluster. */
export const NO_FILE = 'Without a file';
