import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundPackages, type Installation, openInstallation } from '@bylaw/core/installation';
import { parseDocument, stringify } from 'yaml';
import { type AdapterEntry, type AdapterKind, gateConfigOf, secretVariable } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { verifierKeyText } from '../../evidence/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import { newProposalId } from '../../service/ulid.js';
import { loadSigningKey } from '../../store/index.js';
import { changeAdapters } from '../adapters/change-adapters.js';
import { initKey } from '../keys/change-keys.js';
import { writeKeyFile } from '../keys/key-file.js';
import { openStoreToWrite } from '../open/open-store.js';
import { currentVerifierKey } from '../open/read-store.js';
import {
  exists,
  hasFirstProposal,
  hasStarterBundle,
  INIT_FILES,
  taken,
  writeFirstProposal,
  writeStarterBundle,
  writeWhole,
} from './init-files.js';

export interface InitWishes {
  /** Absolute; made if it does not exist. */
  folder: string;
  adapter: string;
  kind: AdapterKind;
  approver: string;
}

/** What `gate init` has made. */
export interface InitiatedGate {
  folder: string;
  entry: AdapterEntry;
  approver: string;
  /** Of the approver's private key. */
  approverKeyFile: string;
  verifierKey: string;
}

/** Told of each step once it is done, so that tests can stop a process there. */
export type InitStep = 'init-1' | 'init-2' | 'init-3' | 'init-4' | 'init-5';

/**
 * Makes a gate: 1 the configuration file if there is none, still without the gate, 2 the bundle, 3 the keys and the beginning of
 * the chain, 4 a first proposal, 5 the gate's sections of the configuration, recorded in the chain, and then `show`. Nothing that
 * exists is replaced. Stopped before 5, no gate is configured, and the same command continues with what is there.
 * @param show shows the secret, once all is made
 * @throws {BylawError} AG-CFG-008 if something else has the place of a file; all that changing adapters and creating keys throws
 */
export async function initGate(
  found: FoundPackages,
  wishes: InitWishes,
  show: (made: InitiatedGate) => Promise<void>,
  reached: (step: InitStep) => void = () => undefined,
): Promise<void> {
  const { folder, adapter, kind, approver } = wishes;
  const file = join(folder, INIT_FILES.config);
  const needs = { config: !(await exists(file)), bundle: !(await hasStarterBundle(folder)), proposal: !(await hasFirstProposal(folder)) };
  if (!needs.config) refuseConfigured(await readFile(file, 'utf8'));
  await mkdir(folder, { recursive: true });
  if (needs.config) await writeWhole(file, HEAD, 0o644);
  reached('init-1');
  const installation = await openInstallation(found, { config: file });
  if (needs.bundle) await writeStarterBundle(folder);
  reached('init-2');
  await keepStateOutOfGit(folder);
  const approverKeyFile = join(folder, '.bylaw', `approver-${approver}.key`);
  const publicKey = await approverKey(approverKeyFile);
  const verifierKey = await signingKey(installation);
  reached('init-3');
  if (needs.proposal) await writeFirstProposal(folder, newProposalId(installation.clock.now()));
  reached('init-4');
  const entry: AdapterEntry = { adapter_id: adapter, kind, secret_env: secretVariable(adapter) };
  await changeAdapters(
    found,
    { config: file },
    {
      action: 'adapter.add',
      edit: (text) => ({ text: withGate(text, entry, { approver, publicKey }), entry }),
      show: async () => {
        reached('init-5');
        await show({ folder, entry, approver, approverKeyFile, verifierKey });
      },
    },
  );
}

const HEAD = '# Configuration of bylaw. `bylaw config check` shows every effective setting.\n';

/** Sections that only a configured gate has. */
const SECTIONS = ['policy', 'adapters', 'approvers'];

/** Adds the sections below the text, which stays as it is. The caller loads the result before it takes the place of the file. */
function withGate(text: string, entry: AdapterEntry, { approver, publicKey }: { approver: string; publicKey: string }): string {
  refuseConfigured(text);
  return `${text.replace(/\n*$/, '\n')}
policy:
  bundle: ${INIT_FILES.bundle}
adapters:
  - adapter_id: ${scalar(entry.adapter_id)}
    kind: ${entry.kind}
    # The secret itself is only in this environment variable.
    secret_env: ${entry.secret_env}
approvers:
  - id: ${scalar(approver)}
    public_key: ${publicKey}
    groups:
      - operators
`;
}

/** Quoted where YAML would read something else, such as a number. */
function scalar(text: string): string {
  return stringify(text).trim();
}

function refuseConfigured(text: string): void {
  const document = parseDocument(text);
  const section = SECTIONS.find((name) => document.has(name));
  if (section === undefined) return;
  throw gateError('AG-CFG-008', `${INIT_FILES.config} already configures the gate: it has the section \`${section}\`.`, {
    hint: 'Add an adapter with `bylaw adapter add`, or choose a different folder with --dir.',
  });
}

/** Keys and evidence must not get into a repository by accident. */
async function keepStateOutOfGit(folder: string): Promise<void> {
  await mkdir(join(folder, '.bylaw'), { recursive: true, mode: 0o700 });
  const ignore = join(folder, '.bylaw', '.gitignore');
  if (!(await exists(ignore))) await writeWhole(ignore, '*\n', 0o600);
}

/** @returns the public key; a key that is there is kept */
async function approverKey(path: string): Promise<string> {
  if (!(await exists(path))) await writeKeyFile(path, newKeyPem());
  try {
    return signerFromPem(await readFile(path, 'utf8')).publicKey;
  } catch {
    throw taken(path);
  }
}

/** @returns the public key that verifiers need; a key and a chain that are there are kept */
async function signingKey(installation: Installation): Promise<string> {
  const { loaded } = installation;
  const key = loadSigningKey(gateConfigOf(loaded.config).signing, { base: loaded.base, env: process.env });
  if ('problem' in key) return verifierKeyText((await initKey(installation)).key);
  await (await openStoreToWrite(installation)).close();
  return currentVerifierKey(installation);
}
