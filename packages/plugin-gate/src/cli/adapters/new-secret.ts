import type { FoundPackages } from '@bylaw/core/installation';
import { newSecret, secretOutput } from '../terminal/secret-output.js';
import { type ChangedAdapter, changeAdapters } from './change-adapters.js';
import type { EditedAdapters } from './edit-adapters.js';

interface SecretFlags {
  config?: string | undefined;
  json: boolean;
  'secret-out'?: number | undefined;
}

/** Changes an adapter so that it has a new secret, and shows that once. Everything else that there is to say goes to stderr. */
export async function withNewSecret(
  found: FoundPackages,
  flags: SecretFlags,
  change: { action: 'adapter.add' | 'adapter.rotate'; edit: (text: string) => EditedAdapters },
): Promise<void> {
  const write = secretOutput(flags['secret-out']);
  const secret = newSecret();
  const show = (changed: ChangedAdapter) => write(flags.json ? `${JSON.stringify({ ...summary(changed), secret })}\n` : `${secret}\n`);
  const { entry } = await changeAdapters(found, flags, { ...change, show });
  if (!flags.json) process.stderr.write(instructions(entry.adapter_id, entry.secret_env, entry.previous_secret_env));
}

/** What `--json` says of a change. */
export function summary({ entry, recorded, warning }: ChangedAdapter): object {
  return { ...entry, evidence_ref: recorded.ref, evidence_seq: recorded.seq, ...(warning !== undefined && { warning }) };
}

function instructions(id: string, variable: string, previous: string | undefined): string {
  const where = `This secret is not shown again. Set ${variable} to it in the environment of the server, replacing any old value, and restart the server.`;
  if (previous === undefined) return `${where}\nGive the secret to adapter ${id}.\n`;
  return `${where}\nKeep ${previous} set until adapter ${id} signs with the new secret. Then run: bylaw adapter finish ${id}\n`;
}
