import { remoteServerOf } from '@bylaw/core/command/remote';
import type { Installation, InstallationFlags } from '@bylaw/core/installation';
import { comparingOf } from '@bylaw/core/plugin';
import type { Doors } from './doors/doors.js';
import { localDoors } from './doors/local.js';
import { scoresPath } from './scores/path.js';

/**
 * The doors that a command uses: those of the server that `--remote` or SVC_API_URL names, else those of this installation.
 * @throws {BylawError} `usage` for custom rules together with a server, which does not have them
 */
export async function openDoors(installation: Installation, flags: InstallationFlags): Promise<Doors> {
  const server = remoteServerOf(installation, flags);
  if (!server) {
    const { config, base, dataDir } = installation.loaded;
    return localDoors({
      catalogue: await installation.catalogue(),
      clock: installation.clock,
      scores: scoresPath(config, dataDir),
      comparing: comparingOf(installation.plugins, { config, base }),
    });
  }
  const { remoteDoors } = await import('./remote/doors.js');
  return remoteDoors(server);
}
