import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { type FoundPackages, type Installation, openInstallation } from '@bylaw/core/installation';
import type { AdapterEntry } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { sha256Hex } from '../../json/index.js';
import type { EvidenceStore, Recorded } from '../../store/index.js';
import { openStoreToWrite, operatorName, withStoreErrors } from '../open/open-store.js';
import { lockConfig } from './config-lock.js';
import type { EditedAdapters } from './edit-adapters.js';
import { missingSecret } from './loaded-variable.js';

export interface AdapterChange {
  action: 'adapter.add' | 'adapter.rotate' | 'adapter.finish' | 'adapter.remove';
  /** Changes the text of the configuration; `variable`: the one that the record names, where it is not the entry's. */
  edit: (text: string) => EditedAdapters & { variable?: string };
  /** Shows the secret, once the change has been made. */
  show?: (changed: ChangedAdapter) => Promise<void>;
}

export interface ChangedAdapter {
  entry: AdapterEntry;
  /** Of the `admin_action`. */
  recorded: Recorded;
  /** Why the adapter may not be able to authenticate from now on, one sentence. */
  warning?: string;
}

/** Told of each step once it is done, so that tests can stop a process there. */
export type ChangeStep = 'adapter-1' | 'adapter-2' | 'adapter-3' | 'adapter-4' | 'adapter-5';

/**
 * Changes the list of adapters in the configuration file, and records that: 1 lock, 2 write and sync a draft beside the file,
 * 3 append the `admin_action` with the digest of the draft, 4 put it in the place of the file, 5 show the secret.
 * Stopped before 3, nothing has happened. Stopped between 3 and 4, the chain reports a change that was not made: the next start
 * of the server finds another digest and records that. After 4 the change is made; a secret that was not shown is rotated away.
 * @throws {BylawError} AG-CFG-…, AG-EVD-…, `config-not-found`, `config-invalid`
 */
export async function changeAdapters(
  found: FoundPackages,
  flags: { config?: string | undefined },
  change: AdapterChange,
  reached: (step: ChangeStep) => void = () => undefined,
): Promise<ChangedAdapter> {
  const file = await configFile(found, flags);
  const unlock = lockConfig(file);
  try {
    reached('adapter-1');
    const installation = await openInstallation(found, { config: file });
    const before = await readFile(file, 'utf8');
    const edited = change.edit(before);
    const draft = await writeDraft(file, edited.text);
    await checkDraft(found, draft);
    reached('adapter-2');
    const recorded = await record(installation, change.action, edited, { before, after: edited.text });
    reached('adapter-3');
    await replace(file, draft);
    reached('adapter-4');
    const changed = { entry: edited.entry, ...recorded };
    await change.show?.(changed);
    reached('adapter-5');
    return changed;
  } finally {
    unlock();
  }
}

/** The file itself, where the configuration is a link to it. */
async function configFile(found: FoundPackages, flags: { config?: string | undefined }): Promise<string> {
  const { loaded } = await openInstallation(found, flags);
  if (loaded.file) return await realpath(loaded.file.path);
  throw new BylawError('config-not-found', 'There is no configuration file to register adapters in.', {
    hint: 'To create a configuration with a first adapter, run `bylaw gate init`. To use an existing one, pass its path with --config.',
  });
}

/** In the folder of the file, so that it can take its place in one step. What a killed command left is written over. */
async function writeDraft(file: string, text: string): Promise<string> {
  const draft = join(dirname(file), `.${basename(file)}.new`);
  await unlessUnwritable(async () => {
    const { mode, uid, gid } = await stat(file);
    await rm(draft, { force: true });
    const handle = await open(draft, 'wx', 0o600);
    await synced(handle, async () => {
      await handle.writeFile(text);
      await handle.chmod(mode & 0o777);
      // The administrator may not be who the server runs as.
      if (process.getuid?.() === 0) await handle.chown(uid, gid);
    });
  });
  return draft;
}

/** The configuration that a server would load. */
async function checkDraft(found: FoundPackages, draft: string): Promise<void> {
  try {
    await openInstallation(found, { config: draft });
  } catch (cause) {
    await rm(draft, { force: true });
    if (cause instanceof BylawError)
      throw gateError('AG-CFG-004', `The configuration would be invalid after the change: ${cause.message}`, { cause });
    throw cause;
  }
}

async function record(
  installation: Installation,
  action: AdapterChange['action'],
  { entry, variable = entry.secret_env }: EditedAdapters & { variable?: string },
  text: { before: string; after: string },
): Promise<Pick<ChangedAdapter, 'recorded' | 'warning'>> {
  const store = await openStoreToWrite(installation);
  return await withStoreErrors(async () => {
    const recorded = await append(store, installation, action, entry, variable, text);
    const warning = action === 'adapter.finish' ? await missingSecret(store, entry.secret_env) : undefined;
    return { recorded, ...(warning !== undefined && { warning }) };
  }).finally(() => store.close());
}

function append(
  store: EvidenceStore,
  { clock }: Installation,
  action: AdapterChange['action'],
  entry: AdapterEntry,
  variable: string,
  text: { before: string; after: string },
): Promise<Recorded> {
  const operator = operatorName();
  return store.administer({
    kind: 'admin',
    type: 'admin_action',
    time: clock.now().toISOString(),
    dev: false,
    reportedBy: operator,
    data: {
      action,
      adapter: entry.adapter_id,
      kind: entry.kind,
      variable,
      previous_variable: entry.previous_secret_env ?? null,
      operator,
      config_digest: `sha256:${sha256Hex(text.after)}`,
      previous_config_digest: `sha256:${sha256Hex(text.before)}`,
    },
  });
}

async function replace(file: string, draft: string): Promise<void> {
  await unlessUnwritable(async () => {
    await rename(draft, file);
    const folder = await open(dirname(file), 'r');
    await synced(folder, async () => undefined);
  });
}

async function synced(handle: FileHandle, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessUnwritable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw gateError('AG-CFG-004', `Cannot write the configuration file${code}.`, { cause });
  }
}
