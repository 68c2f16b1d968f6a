import { BylawError } from '@bylaw/core/errors';
import type { Installation, InstallationFlags } from '@bylaw/core/installation';
import { scoresPath } from '../scores/path.js';
import type { Doors } from './doors.js';
import { localDoors } from './local.js';

/**
 * The doors that a command uses: those of the server that `--remote` or SVC_API_URL names, else those of this installation.
 * @throws {BylawError} `usage` for custom rules together with a server, which does not have them
 */
export async function openDoors(installation: Installation, flags: InstallationFlags): Promise<Doors> {
  const { url, key } = installation.loaded.remote;
  if (url === undefined) {
    const { config, dataDir } = installation.loaded;
    return localDoors({ catalogue: await installation.catalogue(), clock: installation.clock, scores: scoresPath(config, dataDir) });
  }
  if (flags.rules?.length || installation.loaded.config.evaluate.rule_dirs.length > 0)
    throw new BylawError(
      'usage',
      'Custom rules (--rules, evaluate.rule_dirs) cannot be used together with a remote server: it has its own rules.',
      {
        hint: 'Leave the rules out, or --remote and SVC_API_URL.',
      },
    );
  const { remoteDoors } = await import('../remote/doors.js');
  return remoteDoors({ url, key });
}
