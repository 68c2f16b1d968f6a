import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newKeyPem } from '../../keys/index.js';

export interface GateFolderOptions {
  /** Text of bylaw.yaml below the sections that are always written. */
  yaml?: string;
  /** Entries of `adapters` in flow style; absent: `ci` (kind ci, variable CI) and `tool` (kind sdk, variable TOOL). */
  adapters?: string;
  /** False: there is no signing key. */
  key?: boolean;
  /** Files of the bundle, in addition to or in place of the usual ones; false: none is configured. */
  bundle?: { [file: string]: string } | false;
}

/** A temporary folder with what a gate needs: a configuration, a signing key and a bundle. */
export async function gateFolder({ yaml = '', adapters, key = true, bundle = {} }: GateFolderOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bylaw-gate-'));
  const entries = adapters ?? '{adapter_id: ci, kind: ci, secret_env: CI}, {adapter_id: tool, kind: sdk, secret_env: TOOL}';
  const policy = bundle === false ? '' : 'policy: {bundle: bundle}\n';
  await writeFile(join(folder, 'bylaw.yaml'), `adapters: [${entries}]\n${policy}${yaml}`);
  if (bundle !== false) await writeBundle(folder, { ...BUNDLE, ...bundle });
  await mkdir(join(folder, '.bylaw'), { mode: 0o700 });
  if (key) await writeFile(join(folder, '.bylaw', 'signing.key'), newKeyPem(), { mode: 0o600 });
  return folder;
}

/** Writes files of the bundle into the folder of a server. */
export async function writeBundle(folder: string, files: { [file: string]: string }): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, 'bundle', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Reads are allowed, drops are denied, anything else in production needs an approval, and is allowed outside. */
const BUNDLE: { [file: string]: string } = {
  'bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 1.0.0\ndefault: deny\n',
  'policies/allow.yaml': policy('allow-outside', 'when: proposal.environment != "production"\n  effect: allow\n  message: Fine.'),
  'policies/deny.yaml': policy('no-drop', 'match: {actions: ["**.drop"]}\n  effect: deny\n  message: Nothing is dropped.'),
  'policies/ask.yaml': policy(
    'ask',
    'match: {environments: [production]}\n  effect: require_approval\n  approval: {groups: [sre], quorum: 1, ttl_seconds: 60, grant_ttl_seconds: 30}\n  message: Production needs one approver.',
  ),
};

function policy(id: string, spec: string): string {
  return `apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: ${id}, title: A policy}\nspec:\n  ${spec}\n`;
}

/** A valid proposal. */
export function proposal(id: string, more: { [member: string]: unknown } = {}) {
  return {
    id,
    principal: { id: 'alice', type: 'human' },
    action: { type: 'kubernetes.deployment.update', resource: 'k8s://shop/Deployment/web' },
    environment: 'staging',
    ...more,
  };
}
