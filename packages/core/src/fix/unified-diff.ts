import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Lines that differ, before a comparison is given up: its time grows with their square. */
const MAX_DIFFERENCES = 20_000;

/**
 * What changes in a file as a unified diff that `git apply` and `patch -p1` take; undefined for so many changes that they are not
 * worth the time to compare.
 */
export function unifiedDiff(file: string, before: string, after: string): string | undefined {
  const name = file.replace(/^(?:\.?\/)+/, '');
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: MAX_DIFFERENCES,
  });
}
