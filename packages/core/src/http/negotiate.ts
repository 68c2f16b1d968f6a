import type { IncomingHttpHeaders } from 'node:http';
import { problem } from './problems.js';
import type { Route } from './route.js';

/**
 * Makes the check that the body is JSON that we read and that the answer is something the client takes.
 * Asking for `application/json` is also what keeps a page of a foreign site from posting here with a plain form: a browser
 * asks for leave first, and gets none.
 * The check throws {HttpProblem} `media-type`, `not-acceptable`.
 */
export function negotiator(route: Route): (headers: IncomingHttpHeaders) => void {
  const answers = Object.values(route.responses);
  const types = [...new Set(answers.flatMap(({ mediaType, others }) => [mediaType ?? 'application/json', ...Object.keys(others ?? {})]))];
  const wantsBody = route.body !== undefined;
  return ({ accept, 'content-type': type, 'content-encoding': encoding }) => {
    if (wantsBody && (type !== 'application/json' || encoding !== undefined)) checkContent(type, encoding);
    if (accept === undefined || accept === '*/*' || route.anyAccept) return;
    if (!types.some((offered) => weightOf(accept, offered) > 0))
      throw problem('not-acceptable', { detail: `Supported types: ${types.join(', ')}.` });
  };
}

function checkContent(type: string | undefined, encoding: string | undefined): void {
  const [name = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (name !== 'application/json') throw problem('media-type', { detail: 'Send Content-Type: application/json.' });
  if (charset !== undefined && !/^charset="?utf-8"?$/.test(charset))
    throw problem('media-type', { detail: 'The charset of JSON must be UTF-8.' });
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw problem('media-type', { detail: 'Send the body without Content-Encoding.' });
}

/** The media type of these that the client would rather have; the first of equals. The header has been found to take one of them. */
export function preferredType<T extends string>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  if (accept === undefined) return offered[0];
  return offered.reduce((best, type) => (weightOf(accept, type) > weightOf(accept, best) ? type : best), offered[0]);
}

/** RFC 9110, section 12.5.1: the most specific range that matches decides; weight 0 refuses. */
function weightOf(header: string, type: string): number {
  if (header.trim() === '') return 1;
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  let best = { rank: -1, weight: 0 };
  for (const range of header.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const rank = ['*/*', group, type].indexOf(name);
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    if (rank > best.rank) best = { rank, weight };
  }
  return best.rank >= 0 ? best.weight : 0;
}
