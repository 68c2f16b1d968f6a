import {
  changedSince,
  type EvaluationFlags,
  evaluationFromFlags,
  exitCodeOf,
  inputsAt,
  type RenderingFlags,
  type ReportFlags,
  renderingOf,
  thresholdOf,
  writeReport,
} from '@bylaw/core/command/evaluation';
import type { Threshold } from '@bylaw/core/command/flags';
import type { GraphFile } from '@bylaw/core/command/graph';
import { refuseManifest, showProgress, writeFileWhole } from '@bylaw/core/command/output';
import { remoteServerOf, selectedRules } from '@bylaw/core/command/remote';
import type { LoadedConfig } from '@bylaw/core/config';
import { BylawError } from '@bylaw/core/errors';
import { type EvaluationEvent, writeBaseline } from '@bylaw/core/evaluate';
import type { GraphInputs, RunGraph } from '@bylaw/core/graph';
import type { Installation } from '@bylaw/core/installation';
import { readersOf } from '@bylaw/core/plugin';
import type { ReportContext } from '@bylaw/core/report';
import { isFixable, isFixedUnsafelyOnly, type Rule } from '@bylaw/core/rule';
import { evaluationEvents } from './evaluation/evaluation-events.js';

export interface EvaluateFlags extends EvaluationFlags, RenderingFlags, ReportFlags {
  'fail-on'?: Threshold | undefined;
  'write-baseline'?: string | undefined;
  graph?: string | undefined;
  'changed-since'?: string | undefined;
  'include-passed': boolean;
  'fail-on-skipped': boolean;
  rules?: string[] | undefined;
  threads?: number | undefined;
}

/**
 * Evaluates what is under the paths, and writes the report.
 * @returns the exit code of the process
 */
export async function evaluateCommand(paths: readonly string[], flags: EvaluateFlags, installation: Installation): Promise<number> {
  const { loaded, version, plugins } = installation;
  remoteServerOf(installation, flags); // what it refuses is told before anything is read
  refuseRemote(flags, installation);
  const graph = await graphFile(flags);
  const { inputs, inputErrors, inputNotes } = await inputsAt(paths, await renderingOf(flags, installation), await readersOf(installation));
  for (const file of [flags.output, flags['write-baseline'], flags.graph]) await refuseManifest(file, inputs);
  const part = flags['changed-since'] === undefined ? undefined : await changedSince(flags['changed-since'], inputs, process.cwd());
  const evaluation = await evaluationFromFlags(flags, loaded, inputs);
  const rules = await selectedRules(evaluation.filter, installation);
  const progress = await showProgress(part?.inputs ?? inputs, rules.some((rule) => rule.set) ? 2 : 1);
  const keys: string[] = [];
  const run = evaluationEvents(
    {
      ...evaluation,
      inputs: progress.inputs,
      inputErrors,
      inputNotes: [...inputNotes, ...(part?.notes ?? [])],
      ...(part && { setInputs: part.setInputs, unchanged: part.unchanged }),
      includePassed: flags['include-passed'],
      failOnSkipped: flags['fail-on-skipped'],
      ...(flags.threads !== undefined && { threads: flags.threads }),
      ...(progress.onProgress && { onProgress: progress.onProgress }),
      ...(flags['write-baseline'] !== undefined && { onBaselineKeys: (more) => void keys.push(...more) }),
    },
    installation,
    flags,
  );
  const { namespace = 'default', complete = false } = evaluation;
  const events = graph ? graph.watch({ namespace, complete }, (into) => drawn(into, part ?? { inputs }, run)) : run;
  const fixable = fixableRules(rules);
  const threshold = thresholdOf(flags, loaded);
  const end = await writeReport(
    loaded.policy ? withPolicy(events, loaded) : events,
    flags,
    { version, rules, fixable, threshold, plugins },
    progress.around,
  ).finally(progress.stop);
  if (flags['write-baseline'] !== undefined) await writeFileWhole(flags['write-baseline'], async (out) => out.write(writeBaseline(keys)));
  await graph?.write();
  return exitCodeOf(end.summary, threshold);
}

/** Loaded only on request: other runs do not draw. */
async function graphFile(flags: EvaluateFlags): Promise<GraphFile | undefined> {
  if (flags.graph === undefined) return undefined;
  const { openGraphFile } = await import('@bylaw/core/command/graph');
  return openGraphFile(flags.graph, [flags.output, flags['write-baseline']]);
}

/** The run, once the graph has all resources. */
async function* drawn(into: RunGraph, inputs: GraphInputs, run: AsyncIterable<EvaluationEvent>) {
  const { addInputs } = await import('@bylaw/core/graph');
  await addInputs(into, inputs);
  yield* run;
}

/** The report says which commit the policy is from. */
async function* withPolicy(
  events: AsyncIterable<EvaluationEvent>,
  { policy, file }: LoadedConfig,
): AsyncGenerator<EvaluationEvent, void, void> {
  if (!policy) return;
  const { ref, tree } = policy;
  const config = file === undefined ? null : file.locate([]).file;
  const about = `The policy is that of ${ref} (commit ${tree.commit.slice(0, 10)}): ${config ?? 'the defaults, without a bylaw.yaml'}.`;
  for await (const event of events)
    yield event.type === 'end'
      ? { ...event, about: [...(event.about ?? []), about], more: { ...event.more, policy: { ref, commit: tree.commit, config } } }
      : event;
}

function fixableRules(rules: readonly Rule[]): NonNullable<ReportContext['fixable']> {
  const [unsafe, safe] = [true, false].map(
    (only) => new Set(rules.filter((rule) => isFixable(rule) && isFixedUnsafelyOnly(rule) === only).map(({ id }) => id)),
  );
  return { safe: safe ?? new Set(), unsafe: unsafe ?? new Set() };
}

/** What a server cannot do, or would do in the same way. */
function refuseRemote(flags: EvaluateFlags, { loaded }: Installation): void {
  const flag = (['write-baseline', 'changed-since'] as const).find((name) => flags[name] !== undefined);
  if (flag !== undefined && loaded.remote.url !== undefined)
    throw new BylawError('usage', `--${flag} cannot be used together with a remote server.`, {
      hint: 'Remove --remote and unset SVC_API_URL: the result is the same.',
    });
  if (flags['write-baseline'] !== undefined && flags['changed-since'] !== undefined)
    throw new BylawError('usage', '--write-baseline cannot be used together with --changed-since.', {
      hint: 'Remove --changed-since: a baseline lists the findings of all files.',
    });
}
