import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../../config/index.js';
import { BylawError, type InputError } from '../../errors.js';
import { type EvaluationRequest, readBaseline, type Selection } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { discoverInputs, type Input, type Rendering } from '../../resource/index.js';

/** Flags of the commands that judge configurations. */
export interface JudgingFlags {
  category?: string[] | undefined;
  severity?: string[] | undefined;
  rule?: string[] | undefined;
  framework?: string[] | undefined;
  'no-exceptions'?: boolean | undefined;
  baseline?: string | undefined;
  namespace?: string | undefined;
}

/** What is to be read under paths of the command line, rendered where that is asked for, what of it cannot be, and what was left out. */
export async function inputsAt(
  paths: readonly string[],
  rendering?: Rendering,
): Promise<{ inputs: Input[]; inputErrors: InputError[]; inputNotes: Note[] }> {
  const options = { cwd: process.cwd(), stdin: () => process.stdin, ...(rendering && { rendering }) };
  const { inputs, errors, notes } = await discoverInputs(paths, options);
  return { inputs, inputErrors: errors, inputNotes: notes };
}

/**
 * How to judge it: the flags, and where they say nothing, the configuration.
 * @throws {BylawError} `baseline-invalid`
 */
export async function judgingOf(
  flags: JudgingFlags,
  { config }: { config: Config },
): Promise<Omit<EvaluationRequest, 'inputs'> & { filter: Selection }> {
  const { evaluate, exceptions, packs } = config;
  const categories = flags.category ?? evaluate.categories;
  const severities = flags.severity ?? evaluate.severities;
  const rules = flags.rule ?? evaluate.rules;
  const frameworks = flags.framework ?? evaluate.frameworks;
  const baseline = flags.baseline === undefined ? evaluate.baseline : resolve(flags.baseline);
  return {
    filter: {
      ...(categories && { categories }),
      ...(severities && { severities }),
      ...(rules && { rules }),
      ...(frameworks && { frameworks }),
      excludeRules: evaluate.exclude_rules,
    },
    exceptionsFrom: flags['no-exceptions'] ? 'none' : evaluate.exceptions,
    exceptions,
    packSettings: packs,
    namespace: flags.namespace ?? evaluate.namespace,
    ...(baseline !== undefined && { baseline: await baselineAt(baseline, flags.baseline ?? baseline) }),
  };
}

async function baselineAt(path: string, shown: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BylawError('baseline-invalid', `The baseline ${shown} cannot be read.`, {
      cause,
      hint: 'Write it with `bylaw evaluate --write-baseline FILE`.',
    });
  });
  return readBaseline(shown, text);
}
