import type { ExceptionCounts, ExceptionSummary } from '../evaluate/index.js';
import { printable, shorten } from '../printable.js';
import { number, plural } from './wording.js';

/**
 * What a reader must know about the exceptions of a run, a sentence each: how many findings they suppress, of which kind they are, and in which files the
 * findings are; then the same for those that do not count. Empty if there is nothing to say.
 */
export function exceptionTexts({ suppressed_by: counted, would_be_suppressed_by: ignored = {} }: ExceptionSummary): string[] {
  return [
    ...said('Suppressed', counted),
    ...said('Would be suppressed after this change is merged', ignored.policy_from),
    ...said('Would be suppressed if these exceptions counted', ignored.exceptions_from),
  ];
}

const SOURCES = { annotation: 'annotation', comment: 'comment', config: 'configuration', baseline: 'baseline' } as const;

/** Files that one sentence names. */
const MOST_FILES = 5;
const LONGEST_NAME = 200;

function said(what: string, counts: ExceptionCounts | undefined): string[] {
  if (!counts) return [];
  const sources = (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).filter((source) => counts[source] > 0);
  const total = sources.reduce((sum, source) => sum + counts[source], 0);
  const by = sources.map((source) => `${SOURCES[source]} ${number(counts[source])}`).join(', ');
  return [`${what}: ${plural(total, 'finding')} (${by})${places(counts)}.`];
}

function places({ files, more_files }: ExceptionCounts): string {
  if (files.length === 0) return '';
  const named = files.slice(0, MOST_FILES).map(({ file, count }) => `${shorten(printable(file), LONGEST_NAME)} ${number(count)}`);
  const rest = files.length - named.length + more_files;
  return ` in ${named.join(', ')}${rest > 0 ? ` and ${plural(rest, 'more file')}` : ''}`;
}
