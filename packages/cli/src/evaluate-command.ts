import type { Threshold } from '@bylaw/core/command/flags';
import {
  exitCodeOf,
  inputsAt,
  type JudgingFlags,
  judgingOf,
  type RenderingFlags,
  type ReportFlags,
  renderingOf,
  writeReport,
} from '@bylaw/core/command/judging';
import { showProgress, writeFileWhole } from '@bylaw/core/command/output';
import { selectedRules } from '@bylaw/core/command/remote';
import { BylawError } from '@bylaw/core/errors';
import { writeBaseline } from '@bylaw/core/evaluate';
import type { Installation } from '@bylaw/core/installation';
import { isFixable } from '@bylaw/core/rule';
import type { Doors } from './doors/doors.js';

export interface EvaluateFlags extends JudgingFlags, RenderingFlags, ReportFlags {
  'fail-on'?: Threshold | undefined;
  'write-baseline'?: string | undefined;
  'include-passed': boolean;
  threads?: number | undefined;
}

/**
 * Evaluates what stands under the paths, and writes the report.
 * @returns the exit code of the process
 */
export async function evaluateCommand(
  paths: readonly string[],
  flags: EvaluateFlags,
  installation: Installation,
  doors: Doors,
): Promise<number> {
  const { loaded, version } = installation;
  refuseRemoteBaseline(flags, installation);
  const { inputs, inputErrors, inputNotes } = await inputsAt(paths, await renderingOf(flags, installation));
  const judging = await judgingOf(flags, loaded);
  const rules = await selectedRules(judging.filter, installation, doors.listRules);
  const progress = await showProgress(inputs, rules.some((rule) => rule.set) ? 2 : 1);
  const keys: string[] = [];
  const events = doors.evaluate({
    ...judging,
    inputs: progress.inputs,
    inputErrors,
    inputNotes,
    includePassed: flags['include-passed'],
    ...(flags.threads !== undefined && { threads: flags.threads }),
    ...(progress.onProgress && { onProgress: progress.onProgress }),
    ...(flags['write-baseline'] !== undefined && { onBaselineKeys: (more) => void keys.push(...more) }),
  });
  const fixable = new Set(rules.filter(isFixable).map(({ id }) => id));
  const end = await writeReport(events, flags, { version, rules, fixable }, progress.around).finally(progress.stop);
  if (flags['write-baseline'] !== undefined) await writeFileWhole(flags['write-baseline'], async (out) => out.write(writeBaseline(keys)));
  const threshold = flags['write-baseline'] === undefined ? (flags['fail-on'] ?? loaded.config.evaluate.fail_on) : 'NONE';
  return exitCodeOf(end.summary, threshold);
}

function refuseRemoteBaseline(flags: EvaluateFlags, { loaded }: Installation): void {
  if (flags['write-baseline'] === undefined || loaded.remote.url === undefined) return;
  throw new BylawError('usage', '--write-baseline cannot be used together with a remote server.', {
    hint: 'Leave out --remote and SVC_API_URL: the baseline is the same wherever it is made.',
  });
}
