import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { BylawError } from '@bylaw/core/errors';
import { k8sError } from '../../error-table.js';
import type { Environment, ExecPlugin } from '../kubeconfig/index.js';

/** Somebody may have to open a browser and sign in. */
const INTERACTIVE_MS = 300_000;

/** Far above any credential. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Runs a credential plugin, without a shell. What it writes to standard error goes to ours: it may ask the user for something.
 * @returns its standard output
 * @throws {BylawError} `credential-plugin`
 */
export function runPlugin(
  plugin: ExecPlugin,
  { env, interactive: terminal, pluginMs }: { env: Environment; interactive: boolean; pluginMs: number },
  signal: AbortSignal,
): Promise<string> {
  const interactive = terminal && plugin.interactiveMode !== 'Never';
  const name = basename(plugin.command);
  if (plugin.interactiveMode === 'Always' && !interactive)
    throw failed(
      name,
      'needs input, but there is no terminal',
      'Use credentials that need no interactive sign-in, such as those of a service account.',
    );
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const patience = AbortSignal.timeout(interactive ? INTERACTIVE_MS : pluginMs);
  const child = spawn(plugin.command, plugin.args, {
    env: { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: execInfo(plugin, interactive) },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    signal: AbortSignal.any([signal, patience]),
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    else child.kill('SIGKILL');
  });
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (signal.aborted) reject(signal.reason);
    else if (patience.aborted) reject(failed(name, 'took too long'));
    else if (error.code === 'ENOENT') reject(failed(name, 'is not installed or not in PATH', plugin.installHint));
    else reject(failed(name, `cannot be started (${error.code})`));
  });
  child.once('close', (code, killed) => {
    if (bytes > MAX_OUTPUT_BYTES) reject(failed(name, 'writes more output than a credential'));
    else if (code !== 0)
      reject(failed(name, `ended with ${code === null ? killed : `exit code ${code}`}`, 'Its own output appears above.'));
    else resolve(Buffer.concat(chunks).toString('utf8'));
  });
  return promise;
}

/** What a plugin is told: the form `ExecCredential` of its version. */
function execInfo({ apiVersion, cluster }: ExecPlugin, interactive: boolean): string {
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { ...(cluster && { cluster }), interactive } });
}

function failed(name: string, why: string, hint?: string): BylawError {
  return k8sError('credential-plugin', `The credential plugin \`${name}\` ${why}.`, { ...(hint !== undefined && { hint }) });
}
