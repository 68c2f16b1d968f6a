import { BylawError } from '../../errors.js';
import type { Installation, InstallationFlags } from '../../installation.js';

export interface RemoteServer {
  /** Without a slash at its end. */
  url: string;
  key?: string | undefined;
}

/**
 * The server that `--remote` or SVC_API_URL names; undefined where the work is done here.
 * @throws {BylawError} `usage` for custom rules together with a server, which does not have them
 */
export function remoteServerOf({ loaded }: Installation, flags: InstallationFlags): RemoteServer | undefined {
  const { url, key } = loaded.remote;
  if (url === undefined) return undefined;
  if (flags.rules?.length || loaded.config.evaluate.rule_dirs.length > 0)
    throw new BylawError(
      'usage',
      'Custom rules (--rules, evaluate.rule_dirs) cannot be used together with a remote server, which has its own rules.',
      { hint: 'Remove the custom rules, or remove --remote and unset SVC_API_URL.' },
    );
  return { url, key };
}
