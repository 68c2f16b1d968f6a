import { BylawError, CORE_ERRORS } from '@bylaw/core/errors';
import { nearest } from '@bylaw/core/nearest';

/** Ctrl-C at a question, as the shell reports it. */
const INTERRUPTED = 130;

/** What a user sees of an error that ended a command. */
interface ErrorText {
  /** Stable code, see the table of errors; `usage` for a wrong command line. */
  code: string;
  /** Several lines where several things are wrong. */
  message: string;
  location?: BylawError['location'];
  hint?: string;
}

/**
 * Writes an error to stderr, as text or as one line of JSON, and tells the exit code of the process. Errors that a user can fix are
 * shown without a stack trace; of others, which are defects, only DEBUG shows it.
 */
export function reportError(
  error: unknown,
  options: { json: boolean; debug: boolean },
  stderr: { write(text: string): unknown } = process.stderr,
): number {
  if (isOclifExit(error)) return error.oclif.exit;
  if (error instanceof Error && error.name === 'ExitPromptError') return INTERRUPTED;
  const text = toErrorText(error);
  if (options.json) stderr.write(`${JSON.stringify({ error: text })}\n`);
  else stderr.write(asLines(text));
  if (options.debug && error instanceof Error) stderr.write(`${error.stack}\n`);
  return exitCodeOf(error);
}

function toErrorText(error: unknown): ErrorText {
  if (error instanceof BylawError) {
    const { code, message, location, hint } = error;
    return { code, message, ...(location && { location }), ...(hint !== undefined && { hint }) };
  }
  if (isManyErrors(error)) return { code: error.errors[0]?.code ?? 'rule-schema', message: error.message };
  if (isOclifError(error)) return usageText(error);
  return {
    code: 'internal',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a bug in bylaw. Run the command again with DEBUG=1 for details, and report it.',
  };
}

/** oclif says where the help is in the message itself; an unknown flag deserves the name of the nearest one, too. */
function usageText(error: Error): ErrorText {
  const message = error.message.replace(/\n+Note: .*$|\nSee more help with --help$/s, '');
  const unknown = 'flags' in error && Array.isArray(error.flags) ? String(error.flags[0] ?? '') : '';
  const near = unknown === '' ? undefined : nearest(unknown.replace(/^-+/, ''), knownFlags(error));
  return { code: 'usage', message, hint: `${near === undefined ? '' : `Did you mean --${near}? `}--help shows all arguments and flags.` };
}

/** The parser's own errors carry what they were parsing. */
function knownFlags(error: Error): string[] {
  const input = 'parse' in error ? (error.parse as { input?: { flags?: object } } | undefined)?.input : undefined;
  return Object.keys(input?.flags ?? {});
}

function asLines({ message, location, hint }: ErrorText): string {
  const place = location ? `${location.file}:${location.line}:${location.column}: ` : '';
  return `error: ${place}${message}\n${hint === undefined ? '' : `hint: ${hint}\n`}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof BylawError) return error.exitCode;
  if (isManyErrors(error)) return Math.max(...error.errors.map((one) => one.exitCode));
  if (isOclifError(error)) return CORE_ERRORS.usage.exit;
  return CORE_ERRORS.internal.exit;
}

/** The errors of a rule pack come together. */
function isManyErrors(error: unknown): error is Error & { errors: readonly BylawError[] } {
  return (
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.every((one) => one instanceof BylawError)
  );
}

/** oclif's own errors are about the command line: an unknown flag, a missing argument, a value that is not allowed. */
function isOclifError(error: unknown): error is Error & { oclif: { exit?: number } } {
  return error instanceof Error && 'oclif' in error && typeof error.oclif === 'object' && error.oclif !== null;
}

/** `--help` and `--version` of a command end it by an exception. */
function isOclifExit(error: unknown): error is Error & { oclif: { exit: number } } {
  return isOclifError(error) && 'code' in error && error.code === 'EEXIT' && typeof error.oclif.exit === 'number';
}
