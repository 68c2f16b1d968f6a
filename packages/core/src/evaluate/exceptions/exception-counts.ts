import type { ExceptionCounts, ExceptionSummary } from '../findings/evaluation.js';
import type { Finding, Suppression, WouldBeSuppressed } from '../findings/finding.js';

/** Findings that exceptions cover, while they are counted. It can be posted between threads. */
export interface ExceptionTally {
  bySource: { [source in Suppression['source']]: number };
  byFile: Map<string, number>;
}

/** Those that count, and those that do not, by the reason. */
export type ExceptionTallies = { [what in 'suppressed' | WouldBeSuppressed['ignored_because']]: ExceptionTally };

export function newExceptionTallies(): ExceptionTallies {
  return { suppressed: newTally(), exceptions_from: newTally(), policy_from: newTally() };
}

export function countException(tallies: ExceptionTallies, { status, suppression, would_be_suppressed: would, location }: Finding): void {
  if (status === 'suppressed' && suppression) add(tallies.suppressed, suppression.source, location?.file, 1);
  else if (would) add(tallies[would.ignored_because], would.source, location?.file, 1);
}

/** Adds the second to the first. */
export function addExceptionTallies(sum: ExceptionTallies, part: ExceptionTallies): void {
  for (const what of Object.keys(sum) as (keyof ExceptionTallies)[]) {
    const { bySource, byFile } = part[what];
    for (const [source, count] of Object.entries(bySource) as [Suppression['source'], number][]) sum[what].bySource[source] += count;
    for (const [file, count] of byFile) addFile(sum[what], file, count);
  }
}

/** The members of a summary that say by what and where findings are suppressed, or would be; none where there is nothing to say. */
export function exceptionMembers({ suppressed, ...ignored }: ExceptionTallies): ExceptionSummary {
  const by = countsOf(suppressed);
  const reasons = Object.entries(ignored).flatMap(([why, tally]) => {
    const counts = countsOf(tally);
    return counts ? [[why, counts] as const] : [];
  });
  return { ...(by && { suppressed_by: by }), ...(reasons.length > 0 && { would_be_suppressed_by: Object.fromEntries(reasons) }) };
}

function newTally(): ExceptionTally {
  return { bySource: { annotation: 0, comment: 0, config: 0, baseline: 0 }, byFile: new Map() };
}

function add(tally: ExceptionTally, source: Suppression['source'], file: string | undefined, count: number): void {
  tally.bySource[source] += count;
  if (file !== undefined) addFile(tally, file, count);
}

function addFile({ byFile }: ExceptionTally, file: string, count: number): void {
  byFile.set(file, (byFile.get(file) ?? 0) + count);
}

/** As many files as a summary names. */
const MOST_FILES = 20;

function countsOf({ bySource, byFile }: ExceptionTally): ExceptionCounts | undefined {
  if (Object.values(bySource).every((count) => count === 0)) return undefined;
  const files = [...byFile].map(([file, count]) => ({ file, count })).sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1));
  return { ...bySource, files: files.slice(0, MOST_FILES), more_files: Math.max(0, files.length - MOST_FILES) };
}
