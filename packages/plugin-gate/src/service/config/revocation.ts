import type { Clock } from '@bylaw/core/clock';
import { BylawError } from '@bylaw/core/errors';
import { describeError, type Log } from '@bylaw/core/log';
import type { ConfigFileSource } from '@bylaw/core/plugin';
import type { JsonObject } from '../../json/index.js';
import type { AdminUnit, EvidenceStore } from '../../store/index.js';
import { watchFile } from './config-file-watch.js';
import type { LiveConfig } from './live-config.js';
import { type FileEnd, readFileEnd, reloadConfigFile } from './read-config-file.js';
import { recordedChanges, withdrawnByChange, withdrawnFromOldFile } from './recorded-changes.js';
import { every } from './schedule.js';
import { isEmpty, type Withdrawals, withdrawnBy } from './withdrawals.js';

/** Takes away what the configuration file or the chain withdraws, while the gate runs. */
export interface Revocation {
  /** Codes of what is wrong with the configuration file; empty when nothing is. */
  problems(): readonly 'AG-CFG-007'[];
  /** Loads the whole file (SIGHUP). A file that is wrong changes nothing, and shows in `problems`. */
  reload(): Promise<void>;
  /** Records what is still to be recorded, and ends. */
  stop(): Promise<void>;
}

export interface RevocationOptions {
  live: LiveConfig;
  store: EvidenceStore;
  /** Undefined: there is no file, and only the chain is followed. */
  file: ConfigFileSource | undefined;
  clock: Clock;
  dev: boolean;
  log: Log;
}

/** How often the chain is looked at, in seconds. */
const LOOK_SECONDS = 0.25;

/**
 * Obeys withdrawals, and only those: adapters, secrets and approvers that the file no longer has, and `adapter.remove` and
 * `adapter.finish` records that any process appends to the chain. Each takes effect within a second, and is recorded as
 * `config.withdraw`; while the store cannot record, it is in effect all the same.
 * When this resolves, what the chain has withdrawn from an outdated file is no longer in force.
 */
export async function startRevocation({ live, store, file, clock, dev, log }: RevocationOptions): Promise<Revocation> {
  const unrecorded: AdminUnit[] = [];
  let fileProblem: BylawError | undefined;
  let whole = file && (await wholeFile(file));
  /** Number of the last record whose withdrawals are in effect; undefined before the chain has been read. */
  let position: number | undefined;

  const withdraw = (
    withdrawals: Withdrawals,
    cause: { cause: 'file' | 'record'; record_seq: number | null; file_digest: string | null },
  ) => {
    const effective = live.withdraw(withdrawals);
    if (isEmpty(effective)) return;
    log.warn({ ...cause, ...effective }, 'withdrawn: these adapters, secrets or approvers are no longer accepted');
    unrecorded.push(withdrawalUnit({ ...cause, ...jsonOf(effective) }, clock, dev));
  };

  const obeyChain = async (load: () => void) => {
    const head = await store.head();
    const changes = head === undefined ? [] : await recordedChanges(store, 0, head.seq);
    load();
    position = head?.seq;
    if (live.digest !== null)
      withdraw(withdrawnFromOldFile(changes, live.digest), { cause: 'record', record_seq: null, file_digest: live.digest });
  };

  const followChain = async () => {
    // A store may come late: what its chain withdrew before is compared with the file, as at a start.
    if (position === undefined) return obeyChain(() => undefined);
    const head = await store.head();
    if (head === undefined || head.seq <= position) return;
    for (const change of await recordedChanges(store, position + 1, head.seq))
      withdraw(withdrawnByChange(change), { cause: 'record', record_seq: change.seq, file_digest: null });
    position = head.seq;
  };

  const canRecord = () => store.problems().every(({ blocks }) => blocks === false);
  const recordWithdrawals = async () => {
    for (let [unit] = unrecorded; unit !== undefined && canRecord(); [unit] = unrecorded) {
      await store.administer(unit);
      unrecorded.shift();
    }
  };

  const failFile = (error: unknown) => {
    if (!(error instanceof BylawError)) throw error;
    fileProblem = error;
    const { code, location } = error;
    log.error(
      { code, ...(location && { file: location.file, line: location.line }) },
      `configuration file: ${error.message} The gate keeps its configuration, and withdraws nothing.`,
    );
  };

  const lookAtFile = async (source: ConfigFileSource): Promise<boolean> => {
    const before = live.digest;
    try {
      const end = await readFileEnd(source.path, whole);
      if (end.digest !== before) {
        const { config, digest } = await reloadConfigFile(source);
        // The file has changed again, or another configuration has been loaded meanwhile.
        if (digest !== end.digest || live.digest !== before) return false;
        withdraw(withdrawnBy(config, live.config), { cause: 'file', record_seq: null, file_digest: digest });
      }
      whole = end;
      fileProblem = undefined;
    } catch (error) {
      failFile(error);
    }
    return true;
  };

  const oneAtATime = queue();
  const failed = (what: string) => (error: unknown) => log.error(describeError(error), what);
  const chainFailed = once(failed('the chain could not be followed'));
  await obeyChain(() => undefined).catch(failed('the withdrawals in the chain could not be read'));
  const schedules = [
    every(LOOK_SECONDS, () => oneAtATime(() => followChain().finally(recordWithdrawals)).then(chainFailed.ended), chainFailed.tell),
    ...(file ? [watchFile(file.path, () => lookAtFile(file), failed('the configuration file could not be looked at'))] : []),
  ];
  return {
    problems: () => (fileProblem === undefined ? [] : ['AG-CFG-007']),
    reload: async () => {
      if (!file) return;
      try {
        const end = await readFileEnd(file.path, whole);
        const { config, digest } = await reloadConfigFile(file);
        await oneAtATime(() => obeyChain(() => live.replace(config, digest)));
        whole = end;
        fileProblem = undefined;
      } catch (error) {
        failFile(error);
      }
    },
    stop: async () => {
      for (const schedule of schedules) await schedule.stop();
      await recordWithdrawals().catch(failed('a withdrawal could not be recorded'));
    },
  };
}

/** How the file ends that was loaded at the start, unless it has changed since. */
async function wholeFile({ path, digest }: ConfigFileSource): Promise<FileEnd | undefined> {
  const end = await readFileEnd(path, undefined).catch(() => undefined);
  return end?.digest === digest ? end : undefined;
}

function withdrawalUnit(data: JsonObject, clock: Clock, dev: boolean): AdminUnit {
  const time = clock.now().toISOString();
  return { kind: 'admin', type: 'admin_action', time, dev, reportedBy: 'system', data: { action: 'config.withdraw', ...data } };
}

function jsonOf({ adapters, secrets, approvers }: Withdrawals): JsonObject {
  return { adapters: [...adapters], secrets: secrets.map((secret) => ({ ...secret })), approvers: [...approvers] };
}

/** @returns what runs pieces of work one after the other */
function queue(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}

/** Says a failure once, until it has ended: what fails is tried four times a second. */
function once(say: (error: unknown) => void): { tell: (error: unknown) => void; ended: () => void } {
  let said = false;
  return {
    tell: (error) => {
      if (!said) say(error);
      said = true;
    },
    ended: () => {
      said = false;
    },
  };
}
