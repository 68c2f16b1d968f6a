import { BylawError, SELECTION_ERRORS } from '../../errors.js';
import { printable } from '../../printable.js';
import type { RemoteServer } from './server-of.js';

/** What to do about the others. */
const HINTS: { [code: string]: string } = {
  unauthenticated: 'Set SVC_API_KEY to a key that the server accepts.',
  'too-large': 'Evaluate fewer files at a time, or increase `api.max_body_bytes` in the bylaw.yaml of the server.',
  overloaded: 'Try again in a moment.',
  'evaluation-memory': 'Evaluate fewer files at once, or locally: leave out --remote and SVC_API_URL.',
  'evaluation-timeout': 'Try again when the server has less to do, or evaluate fewer files at once.',
};

/** What an answer that is not a success means for the user: a problem document (RFC 9457) of our server, or something else altogether. */
export function problemError(server: RemoteServer, status: number, value: unknown, notFound?: string): BylawError {
  if (!isProblem(value))
    return new BylawError('remote-refused', `The server ${server.url} returned status ${status} and a body that is not from bylaw.`, {
      hint: 'Check the address in --remote or SVC_API_URL. It must be the address that `bylaw serve` prints, without a path.',
    });
  // Problems that a local run has too keep their code, and with it their exit code.
  const own = status === 404 ? notFound : SELECTION_ERRORS.find((code) => code === value.code);
  if (own)
    return new BylawError({ code: own, exit: 2 }, `${printable(value.title)}.`, {
      ...(value.detail !== undefined && { hint: printable(value.detail) }),
    });
  const breaches = (value.errors ?? []).map(({ path, message }) => `\n  ${printable(path)}: ${printable(message)}`).join('');
  const hint = HINTS[value.code ?? ''] ?? (value.detail === undefined ? undefined : printable(value.detail));
  return new BylawError(
    'remote-refused',
    `The server ${server.url} refused the request: ${printable(value.title)} (${status}).${breaches}`,
    {
      ...(hint !== undefined && { hint }),
    },
  );
}

interface Problem {
  title: string;
  code?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('title' in value) || typeof value.title !== 'string') return false;
  const isText = (member: string) => !(member in value) || typeof value[member as keyof typeof value] === 'string'; // read, not trusted
  return isText('code') && isText('detail') && (!('errors' in value) || (Array.isArray(value.errors) && value.errors.every(isBreach)));
}

function isBreach(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value && typeof value.message === 'string';
}
