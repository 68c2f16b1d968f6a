import { problem } from './problems.js';

/** Longest request target in characters. The longest path parameter is 512, queries are short. */
const MAX_TARGET_LENGTH = 8192;

export interface Target {
  path: string;
  /** The text after the first `?`, still encoded; empty where there is none. */
  query: string;
}

/**
 * Splits a request target as received. The path is refused when two programs could read it differently: percent-encoding,
 * empty or dot segments, backslashes, fragments, anything that is not visible ASCII, or the absolute form.
 * @throws {HttpProblem} `bad-target`, `target-too-long`
 */
export function parseTarget(target: string): Target {
  if (target.length > MAX_TARGET_LENGTH) throw problem('target-too-long', { detail: `The limit is ${MAX_TARGET_LENGTH} characters.` });
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  const query = question < 0 ? '' : target.slice(question + 1);
  if (!/^\/[!-~]*$/.test(path) || /[%\\#]|\/\//.test(path) || /\/\.{1,2}(\/|$)/.test(path) || !/^[!-~]*$/.test(query))
    throw problem('bad-target', {
      detail:
        'The path must start with one slash and hold neither percent-encoding, empty or dot segments, backslashes nor non-ASCII characters.',
    });
  return { path, query };
}
