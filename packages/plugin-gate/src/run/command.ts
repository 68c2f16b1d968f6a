import { gateError } from '../error-table.js';
import { type Executable, findExecutable } from './executable.js';

/** A command that is to run, found once: the gate decides on exactly this, and exactly this runs. */
export interface Command {
  /** As given; the first word is what the program is called by. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly executable: Executable;
}

/**
 * Reads a command and finds its executable.
 * @throws {BylawError} AG-RUN-001, AG-RUN-002; no message repeats a word of the command, which may be a secret
 */
export function readCommand(argv: readonly string[], { cwd, path }: { cwd: string; path: string | undefined }): Command {
  const [word] = argv;
  if (word === undefined) throw gateError('AG-RUN-001', 'There is no command after --.', { hint: 'Use: bylaw run -- COMMAND…' });
  const foreign = argv.findIndex((text) => text.includes(REPLACED));
  if (foreign !== -1 || cwd.includes(REPLACED))
    throw gateError(
      'AG-RUN-002',
      foreign === -1
        ? 'The path of the working directory is not valid UTF-8, so a proposal cannot contain it.'
        : `Word ${foreign + 1} of the command is not valid UTF-8, so a proposal cannot contain it.`,
      { hint: 'Rename the file, or pass its name through a file or standard input.' },
    );
  return { argv, cwd, executable: findExecutable(word, { cwd, path }) };
}

/**
 * Node reads bytes that are not UTF-8 as this character. A word with it may not be what was given, and what runs would be
 * another word than what was given.
 */
const REPLACED = '\u{FFFD}';
