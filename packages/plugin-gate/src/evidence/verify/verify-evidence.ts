import type { VerifierKey } from '../note.js';
import { dataHash, NO_HASH, recordHash } from '../seal.js';
import { type Anchor, anchorWalk } from './anchors.js';
import type { ApproverList } from './approvals.js';
import { keyWalk } from './key-walk.js';
import type { ReadRecord } from './parse-record-line.js';
import { UnusableEvidence } from './pieces.js';
import { FAILURES, type Failure, type FailureCode, MAX_FAILURES, type ReadableReport, type VerifyReport } from './report.js';
import { semantics } from './semantics.js';
import { signatureChecks } from './signature-checks.js';
import { documentMatches, type EvidenceFile, formatOf, recordsOf, settingsOf } from './sources.js';

export interface VerifyOptions {
  /** The key that is trusted: the one of genesis, or any that the chain introduces; where the range begins later, the one in force there. */
  key: VerifierKey;
  anchors?: readonly Anchor[];
  requireAnchor?: boolean;
  /** The range is a part of the chain on purpose, so anchors may be outside of it. */
  partial?: boolean;
  allowDev?: boolean;
  /** Every decision on an approval must be of one of them. */
  approvers?: ApproverList | undefined;
  /** Threads that check signatures, if there are enough of them; 0, the default: this one does. The report is the same. */
  threads?: number;
}

/**
 * Verifies exports of a chain, with nothing but a public key: numbers, hashes, links, signatures, keys, what the records say
 * of each other, and the tree against checkpoints. Files are streamed, and taken as one range in the order given.
 * @returns what was found; never throws on any content of the files
 * @throws what `open` of a file throws
 */
export async function verifyEvidence(files: readonly EvidenceFile[], options: VerifyOptions): Promise<VerifyReport> {
  const run = verification(options);
  try {
    for (const file of files) if (!(await verifyFile(file, run))) break;
  } catch (error) {
    if (error instanceof UnusableEvidence) return { result: 'unusable', exit: 2, reason: error.message };
    throw error;
  } finally {
    await run.stop();
  }
  return run.report();
}

type Verification = ReturnType<typeof verification>;

/** @returns false when nothing after the file can be read as a part of the range */
async function verifyFile(file: EvidenceFile, run: Verification): Promise<boolean> {
  const format = await formatOf(file);
  const settings = format === 'oscal' ? await settingsOf(file) : undefined;
  const before = run.failureCount();
  for await (const records of recordsOf(file, format)) {
    for (const { line, read, rowMatches } of records) {
      if (read === undefined) {
        await run.drain();
        run.fail({ code: 'malformed', file: file.name, line, seq: null });
        return false;
      }
      run.next(read, file.name, line, rowMatches);
    }
    await run.room();
  }
  await run.drain();
  // Written anew from records that are wrong a document would only say so once more.
  if (format === 'oscal' && run.failureCount() === before && !(settings && (await documentMatches(file, settings))))
    run.fail({ code: 'document', file: file.name, line: null, seq: null });
  if (settings?.head !== undefined) run.stateHead(settings.head);
  return true;
}

/** What is wrong with a record apart from its signature. */
interface RecordFailures {
  before: readonly FailureCode[];
  after: readonly FailureCode[];
  file: string;
  line: number;
  seq: number;
}

function verification(options: VerifyOptions) {
  const keys = keyWalk(options.key);
  const meaning = semantics(options.approvers);
  const anchors = anchorWalk(options.anchors ?? []);
  const failures: Failure[] = [];
  let failureCount = 0;
  let records = 0;
  let first: ReadRecord | undefined;
  let last: ReadRecord | undefined;
  let statedHead: number | undefined;

  const fail = (failure: Omit<Failure, 'message'>) => {
    failureCount++;
    if (failures.length < MAX_FAILURES) failures.push({ ...failure, message: FAILURES[failure.code] });
  };

  // All failures of a record are known when its signature is checked. They are reported in the order of the records.
  const signatures = signatureChecks<RecordFailures>(options.threads ?? 0, ({ before, after, file, line, seq }, broken) => {
    for (const code of before) fail({ code, file, line, seq });
    if (broken) fail({ code: 'signature', file, line, seq });
    for (const code of after) fail({ code, file, line, seq });
  });

  return {
    fail,
    failureCount: () => failureCount,
    room: signatures.room,
    drain: signatures.drain,
    stop: signatures.stop,

    /** Number of the last record of the chain, as a file states it. */
    stateHead(seq: number): void {
      statedHead = Math.max(statedHead ?? 0, seq);
    },

    next(read: ReadRecord, file: string, line: number, rowMatches: boolean): void {
      const { seq, hash, sig, data } = read.record;
      const links = linkFailures(read, last);
      const signed = keys.next(read);
      const after = [...signed.after, ...meaning.next(read, keys.chainId())];
      if (!rowMatches) after.push('row');
      const check = signed.publicKey === undefined ? undefined : { hash, sig, publicKey: signed.publicKey };
      signatures.add({ before: [...links, ...signed.before], after, file, line, seq }, check, data?.length ?? 0);
      anchors.next(seq, hash);
      first ??= read;
      last = read;
      records++;
    },

    report(): VerifyReport {
      if (first === undefined || last === undefined) {
        const reason = failureCount > 0 ? 'The first line is not an evidence record.' : 'There are no records to verify.';
        return { result: 'unusable', exit: 2, reason };
      }
      const { failures: anchorFailures, ...anchored } = anchors.result(options.key.name, keys.publicKeys(), options.partial === true);
      const { secondFinals, missingEntries, ...meant } = meaning.summary();
      const { seq: end } = last.record;
      const reachesEnd = anchored.checkpoints.some(({ size }) => end >= size - 1) || (statedHead !== undefined && end >= statedHead);
      const whole = { file: '', line: null, seq: null };
      // Where the range begins with no key in force, that was said at its first record.
      const begun = keys.reigns()[0]?.from === first.record.seq;
      if (begun && !keys.pinnedSeen()) fail({ ...whole, code: 'pinned-key' });
      if (options.allowDev !== true) for (const { dev, from } of keys.reigns()) if (dev) fail({ ...whole, code: 'dev-key', seq: from });
      for (const { code, file } of anchorFailures) fail({ ...whole, code, file });
      for (const seq of secondFinals) fail({ ...whole, code: 'second-final', seq });
      for (const seq of missingEntries) fail({ ...whole, code: 'origin', seq });
      if (reachesEnd) for (const seq of meant.unexplained_erasures) fail({ ...whole, code: 'unexplained-erasure', seq });
      if (options.requireAnchor === true && !anchored.anchored) fail({ ...whole, code: 'not-anchored' });
      const report: ReadableReport = {
        result: failureCount === 0 ? 'ok' : 'failed',
        exit: failureCount === 0 ? 0 : 1,
        chain_id: keys.chainId(),
        range: {
          from: first.record.seq,
          to: last.record.seq,
          records,
          first_prev_hash: first.header.prev_hash,
          last_hash: last.record.hash,
        },
        ...anchored,
        reaches_end: reachesEnd,
        keys: keys.reigns(),
        revoked: keys.revoked(),
        ...meant,
        failure_count: failureCount,
        failures,
      };
      return report;
    },
  };
}

/** The record in itself, and after the one before. */
function linkFailures({ record, header }: ReadRecord, last: ReadRecord | undefined): FailureCode[] {
  const failures: FailureCode[] = [];
  if (last !== undefined && record.seq !== last.record.seq + 1) failures.push('sequence');
  if (record.data !== null && record.salt !== null && dataHash(Buffer.from(record.salt, 'hex'), record.data) !== header.data_hash)
    failures.push('data');
  if (recordHash(record.header) !== record.hash) failures.push('hash');
  const before = last?.record.hash ?? (record.seq === 0 ? NO_HASH : undefined);
  if (before !== undefined && header.prev_hash !== before) failures.push('link');
  return failures;
}
