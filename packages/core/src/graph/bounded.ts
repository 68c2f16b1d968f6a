import { createHash } from 'node:crypto';
import { shorten } from '../printable.js';

/** As long as a name of the API may be. */
const LONGEST_NAME = 253;

const LONGEST_DETAIL = 120;

/**
 * A name as nodes and edges hold it. A longer one than the API allows is cut, and told from others by a hash: every edge repeats the names of both ends, so
 * one name of a megabyte would become gigabytes.
 */
export function boundedName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  return `${shorten(name, LONGEST_NAME - 13)}~${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

/** Text beside a name. */
export function boundedDetail(text: string): string {
  return shorten(text, LONGEST_DETAIL);
}
