import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type LoadedConfig, nameAt, type Policy } from '../../config/index.js';
import { BylawError, type InputError } from '../../errors.js';
import { type EvaluationRequest, readBaseline, type Selection, type UndecidedHandling } from '../../evaluate/index.js';
import { isInTree, readAt } from '../../git/index.js';
import type { Note } from '../../note.js';
import { discoverInputs, type GroupReader, type Input, type Rendering } from '../../resource/index.js';
import { type Place, placeWith } from '../../workload/index.js';
import { acceptedExceptions } from './accepted-exceptions.js';

/** Flags of the commands that evaluate configurations. */
export interface EvaluationFlags {
  category?: string[] | undefined;
  severity?: string[] | undefined;
  rule?: string[] | undefined;
  framework?: string[] | undefined;
  'no-exceptions'?: boolean | undefined;
  undecided?: UndecidedHandling | undefined;
  baseline?: string | undefined;
  namespace?: string | undefined;
  complete?: boolean | undefined;
}

/** What is to be read under paths of the command line, rendered where that is requested, what of it cannot be, and what was left out. */
export async function inputsAt(
  paths: readonly string[],
  rendering?: Rendering,
  readers: readonly GroupReader[] = [],
): Promise<{ inputs: Input[]; inputErrors: InputError[]; inputNotes: Note[] }> {
  const options = { cwd: process.cwd(), stdin: () => process.stdin, ...(rendering && { rendering }), readers };
  const { inputs, errors, notes } = await discoverInputs(paths, options);
  return { inputs, inputErrors: errors, inputNotes: notes };
}

/**
 * How to evaluate it: the flags, and where they say nothing, the configuration. With a policy of a commit, only the exceptions that the commit has count.
 * @param inputs what will be evaluated; the exceptions in it are compared with those in the commit
 * @throws {BylawError} `baseline-invalid`; with a policy `git-failed`
 */
export async function evaluationFromFlags(
  flags: EvaluationFlags,
  { config, policy }: Pick<LoadedConfig, 'config' | 'policy'>,
  inputs: readonly Input[] = [],
): Promise<Omit<EvaluationRequest, 'inputs'> & { filter: Selection }> {
  const { evaluate, exceptions, packs } = config;
  const categories = flags.category ?? evaluate.categories;
  const severities = flags.severity ?? evaluate.severities;
  const rules = flags.rule ?? evaluate.rules;
  const frameworks = flags.framework ?? evaluate.frameworks;
  const baseline = flags.baseline === undefined ? evaluate.baseline : resolve(flags.baseline);
  const keys = baseline === undefined ? undefined : await (policy ? knownAt(policy, baseline, flags) : knownHere(baseline, flags));
  return {
    filter: {
      ...(categories && { categories }),
      ...(severities && { severities }),
      ...(rules && { rules }),
      ...(frameworks && { frameworks }),
      excludeRules: evaluate.exclude_rules,
    },
    exceptionsFrom: flags['no-exceptions'] ? 'none' : evaluate.exceptions,
    undecided: flags.undecided ?? evaluate.undecided,
    exceptions,
    packSettings: packs,
    namespace: flags.namespace ?? evaluate.namespace,
    ...(flags.complete && { complete: true }),
    ...(keys && { baseline: keys }),
    ...(policy && { unmerged: await unmergedOf(policy, flags), accepted: await acceptedExceptions(policy, inputs, process.cwd()) }),
  };
}

/** The exceptions of the working tree. */
async function unmergedOf({ proposed }: Policy, flags: EvaluationFlags): Promise<NonNullable<EvaluationRequest['unmerged']>> {
  const baseline = flags.baseline === undefined ? proposed.evaluate.baseline : resolve(flags.baseline);
  return { configured: proposed.exceptions, baseline: baseline === undefined ? new Set() : await knownHere(baseline, flags) };
}

/** The baseline as the commit has it. One that a flag names may be new in the change: it then knows nothing yet. */
async function knownAt(policy: Policy, path: string, flags: EvaluationFlags): Promise<ReadonlySet<string>> {
  if (!isInTree(policy.tree, path)) return knownHere(path, flags);
  const displayPath = nameAt(policy, path);
  const content = await readAt(policy.tree, path);
  if (content) return readBaseline(displayPath, content.toString('utf8'));
  if (flags.baseline !== undefined) return new Set();
  throw new BylawError('baseline-invalid', `The baseline ${displayPath} is not in the commit, although its bylaw.yaml names it.`, {
    hint: 'Add the file to the branch, or remove `evaluate.baseline` there.',
  });
}

async function knownHere(path: string, flags: EvaluationFlags): Promise<ReadonlySet<string>> {
  return baselineAt(path, flags.baseline ?? path);
}

async function baselineAt(path: string, displayPath: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BylawError('baseline-invalid', `Cannot read the baseline ${displayPath}.`, {
      cause,
      hint: 'Create it with `bylaw evaluate --write-baseline FILE`.',
    });
  });
  return readBaseline(displayPath, text);
}

/** Flags of the commands that ask where workloads run. */
export interface PlaceFlags {
  provider?: Place['provider'] | undefined;
  region?: string | undefined;
  'instance-type'?: string | undefined;
  nodes?: number | undefined;
}

/** Where workloads run: the flags, and where they say nothing, the configuration. */
export function placeFromFlags({ provider, region, 'instance-type': type, nodes }: PlaceFlags, configured: Place): Place {
  const given = {
    ...(provider !== undefined && { provider }),
    ...(region !== undefined && { region }),
    ...(type !== undefined && { instance_type: type }),
    ...(nodes !== undefined && { nodes }),
  };
  return placeWith(given, configured);
}
