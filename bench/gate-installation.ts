import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyPem } from '../packages/plugin-gate/dist/keys/index.js';

/** What the adapter `bench` signs with; the variable BENCH holds it. */
export const SECRET = 'bench-0123456789abcdef0123456789abcdef';

/**
 * Writes what a gate needs into an empty folder: a configuration without rate limits, a signing key, and a bundle.
 * @param policies texts of the policies of the bundle
 */
export async function gateInstallation(folder: string, effect: 'allow' | 'deny', policies: readonly string[] = []): Promise<void> {
  await mkdir(join(folder, '.bylaw'), { mode: 0o700 });
  await mkdir(join(folder, 'bundle', 'policies'), { recursive: true });
  await writeFile(join(folder, '.bylaw', 'signing.key'), newKeyPem(), { mode: 0o600 });
  await writeFile(
    join(folder, 'bylaw.yaml'),
    'policy: {bundle: bundle}\napi: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}\nadapters: [{adapter_id: bench, kind: ci, secret_env: BENCH}]\n',
  );
  await writeFile(
    join(folder, 'bundle', 'bundle.yaml'),
    `apiVersion: bylaw.dev/v1\nkind: Bundle\nid: bench\nversion: 1.0.0\ndefault: ${effect}\n`,
  );
  for (const [number, text] of policies.entries()) await writeFile(join(folder, 'bundle', 'policies', `p${number}.yaml`), text);
}
