import type { InputError } from '@bylaw/core/errors';
import type { ProgramResult } from './run-program.js';
import type { RenderSettings } from './settings.js';
import { type Redaction, toolMessage } from './tool-message.js';

/** What did not render, in the words that its errors need. */
export interface Failing {
  /** `Helm chart`, `kustomization`. */
  what: string;
  /** The file that the error stands at. */
  file: string;
  /** What the user can run to see it: `helm template chart`. */
  command: string;
}

/** The error for a source whose program did not end well. */
export function failure(
  { what, file, command }: Failing,
  result: Exclude<ProgramResult, { status: 'done' }>,
  settings: Pick<RenderSettings, 'timeout_ms' | 'max_bytes'>,
  redaction: Redaction,
): InputError {
  switch (result.status) {
    case 'timeout':
      return at(
        file,
        'render-limit',
        `This ${what} took longer than ${settings.timeout_ms / 1000} s to render and was stopped. Raise render.timeout_ms in bylaw.yaml, or look at it: ${command}`,
      );
    case 'too-large':
      return at(
        file,
        'render-limit',
        `This ${what} renders to more than ${(settings.max_bytes / 1024 / 1024).toFixed(1)} MiB. Raise render.max_bytes in bylaw.yaml, or look at it: ${command}`,
      );
    case 'failed': {
      const message = toolMessage(result.stderr, redaction);
      return NEEDS_NETWORK.test(message)
        ? needsNetwork(file, what, message)
        : at(file, 'render-failed', `This ${what} does not render: ${message} To see it: ${command}`);
    }
  }
}

/** What renderers say when they meet the proxy that cannot exist, or find no git. */
const NEEDS_NETWORK = /\bproxyconnect\b|no 'git' program on path/;

export function needsNetwork(file: string, what: string, reason: string): InputError {
  return at(
    file,
    'render-network',
    `This ${what} needs the network, which rendering may not use: ${reason} Keep what it needs in the repository, or allow it with --render-network.`,
  );
}

export function programMissing({ what, file, command }: Failing, missing: string): InputError {
  return at(
    file,
    'render-program-missing',
    `This is a ${what}, and ${missing} Where it can be rendered, this does the same: ${command} | bylaw evaluate -`,
  );
}

function at(file: string, code: InputError['code'], message: string): InputError {
  return { code, message, location: { file, line: 1, column: 1 } };
}

/** A path as a word of a command line. */
export function shellWord(path: string): string {
  return /^[\w./@:+-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
