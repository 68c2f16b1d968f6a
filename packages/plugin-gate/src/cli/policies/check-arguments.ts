import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { servicesOf } from '@bylaw/core/services';
import { readInstant } from '../../json/index.js';
import type { Bundle } from '../../policy/index.js';
import { type CheckInput, type ManifestEvaluator, manifestEvaluator } from '../../verdict/index.js';
import { bundlePath, openBundle } from '../open/open-bundle.js';
import { readInput, refuseSecrets } from '../terminal/read-input.js';

export interface CheckFlags {
  budget?: string | undefined;
  mandate?: string | undefined;
  bundle?: string | undefined;
  at?: string | undefined;
}

/** Everything that `check` takes, from the files and flags of a command. */
export async function checkArguments(
  installation: Installation,
  file: string,
  flags: CheckFlags,
): Promise<{ input: CheckInput; bundle: Bundle; evaluator: ManifestEvaluator }> {
  const at = flags.at ?? installation.clock.now().toISOString();
  if (readInstant(at) === undefined)
    throw new BylawError('usage', '--at must be a timestamp.', { hint: 'Use the format 2026-01-02T03:04:05.678Z.' });
  const envelope = await readInput({ proposal: file, budget: flags.budget, mandate: flags.mandate });
  const bundle = await openBundle(bundlePath(installation, flags.bundle));
  refuseSecrets(envelope, bundle.masker, file);
  return { input: { ...envelope, at }, bundle, evaluator: evaluatorWhenNeeded(installation) };
}

/** Loading the rules takes longer than most verdicts, and most proposals hold no manifests. */
function evaluatorWhenNeeded(installation: Installation): ManifestEvaluator {
  return async (manifests) => manifestEvaluator(await servicesOf(installation))(manifests);
}
