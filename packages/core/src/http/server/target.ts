import { problem } from '../problems.js';

/** Longest request target in characters. The longest path parameter is 512, queries are short. */
const MAX_TARGET_LENGTH = 8192;

export interface Target {
  path: string;
  /** The text after the first `?`, still encoded; empty where there is none. */
  query: string;
  /**
   * Whether two programs could read the path differently: percent-encoding, empty or dot segments, backslashes, fragments. Such
   * a path does not match any route.
   */
  ambiguous: boolean;
}

/**
 * Splits a request target as received.
 * @throws {HttpProblem} `bad-target` for anything that is not visible ASCII, and for all but the origin form; `target-too-long`
 */
export function parseTarget(target: string): Target {
  if (target.length > MAX_TARGET_LENGTH) throw problem('target-too-long', { detail: `The limit is ${MAX_TARGET_LENGTH} characters.` });
  if (!/^\/[!-~]*$/.test(target)) throw badTarget('The target must start with a slash and contain only visible ASCII characters.');
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  return { path, query: question < 0 ? '' : target.slice(question + 1), ambiguous: AMBIGUOUS.test(path) };
}

const AMBIGUOUS = /[%\\#]|\/\/|\/\.{1,2}(?:\/|$)/;

export function badTarget(detail: string) {
  return problem('bad-target', { detail });
}
