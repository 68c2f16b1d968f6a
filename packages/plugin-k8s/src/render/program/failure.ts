import type { InputError } from '@bylaw/core/errors';
import { plural } from '@bylaw/core/plural';
import type { Rendered } from '@bylaw/core/resource';
import type { ProgramResult, RenderSettings } from './run-program.js';
import { type Redaction, toolMessage } from './tool-message.js';

/** What did not render, in the words that its errors need. */
export interface Failing {
  /** `Helm chart`, `kustomization`. */
  what: string;
  /** The file of the error. */
  file: string;
  /** What the user can run to see it: `helm template chart`. */
  command: string;
}

/** A source that did not render: it covers nothing, so its files are read as they are. */
export function notRendered(error: InputError): Rendered {
  return { inputs: [], errors: [error], covers: [] };
}

/** The error for a source whose program did not end well. */
export function failure(
  failing: Failing,
  result: Exclude<ProgramResult, { status: 'done' }>,
  settings: Pick<RenderSettings, 'timeout_ms' | 'max_bytes'>,
  redaction: Redaction,
): InputError {
  switch (result.status) {
    case 'timeout':
      return overLimit(failing, `did not render within ${settings.timeout_ms / 1000} s and was stopped`, 'timeout_ms');
    case 'too-large':
      return overLimit(failing, `renders to more than ${plural(settings.max_bytes, 'byte')} and was stopped`, 'max_bytes');
    case 'out-of-memory':
      return at(
        failing.file,
        'render-limit',
        `This ${failing.what} needed more than 2 GiB of memory to render and was stopped. To reproduce: ${failing.command}`,
      );
    case 'failed': {
      const message = toolMessage(result.stderr, redaction);
      return NEEDS_NETWORK.test(result.stderr)
        ? needsNetwork(failing, message)
        : renderFailed(failing, message, `To reproduce: ${failing.command}`);
    }
  }
}

/** What renderers say when they meet the proxy that cannot exist, or find no git. */
const NEEDS_NETWORK = /\bproxyconnect\b|no 'git' program on path/;

/** The error for a source that is too large to render. */
export function tooLarge({ what, file }: Failing, limit: string): InputError {
  return at(
    file,
    'render-limit',
    `This ${what} holds more than ${limit}, so it was not rendered. Name what it does not need in .helmignore.`,
  );
}

export function renderFailed({ what, file }: Failing, reason: string, advice: string): InputError {
  return at(file, 'render-failed', `This ${what} does not render: ${reason} ${advice}`);
}

export function needsNetwork({ what, file }: Failing, reason: string): InputError {
  const advice = 'Keep its dependencies next to it, or allow network access with --render-network.';
  return at(file, 'render-network', `This ${what} needs network access, which is not allowed: ${reason} ${advice}`);
}

export function programMissing({ what, file, command }: Failing, missing: string): InputError {
  const advice = `Or render it on a different machine: ${command} | bylaw evaluate -`;
  return at(file, 'render-program-missing', `Cannot render this ${what}: ${missing} ${advice}`);
}

function overLimit({ what, file, command }: Failing, happened: string, setting: string): InputError {
  return at(file, 'render-limit', `This ${what} ${happened}. Increase render.${setting} in bylaw.yaml. To reproduce: ${command}`);
}

function at(file: string, code: InputError['code'], message: string): InputError {
  return { code, message, location: { file, line: 1, column: 1 } };
}

/** A path as a word of a command line. */
export function shellWord(path: string): string {
  return /^[\w./@:+][\w./@:+-]*$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
