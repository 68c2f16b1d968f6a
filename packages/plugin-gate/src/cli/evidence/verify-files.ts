import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { plural } from '@bylaw/core/plural';
import {
  type Anchor,
  evidenceFile,
  type ReadableReport,
  readAnchor,
  readVerifierKey,
  type VerifyReport,
  verifyEvidence,
} from '../../evidence/index.js';
import { readApproverList } from '../approvals/approver-list.js';

export interface VerifyFlags {
  key: string;
  checkpoint?: string[] | undefined;
  'require-anchor': boolean;
  'allow-dev': boolean;
  partial?: boolean | undefined;
  approvers?: string | undefined;
  /** Absent: one for each processor. */
  threads?: number | undefined;
}

/** Verifies files without configuration, network or store. What keeps files, key or checkpoints from being used is the reason in the report. */
export async function verifyFiles(paths: readonly string[], flags: VerifyFlags): Promise<VerifyReport> {
  try {
    const key = readVerifierKey(flags.key);
    const anchors = await Promise.all((flags.checkpoint ?? []).map(anchorFile));
    const approvers = flags.approvers === undefined ? undefined : await readApproverList(flags.approvers);
    for (const path of paths) await stat(path);
    return await verifyEvidence(paths.map(evidenceFile), {
      key,
      anchors,
      requireAnchor: flags['require-anchor'],
      allowDev: flags['allow-dev'],
      partial: flags.partial ?? false,
      approvers,
      threads: flags.threads ?? threadsByDefault(),
    });
  } catch (error) {
    return { result: 'unusable', exit: 2, reason: reasonOf(error) };
  }
}

/** Beside a second thread on the only processor, this one would only wait. */
function threadsByDefault(): number {
  const processors = availableParallelism();
  return processors === 1 ? 0 : processors;
}

/** What a report says, for people. */
export function reportText(report: VerifyReport): string {
  if (report.result === 'unusable') return `Cannot verify the evidence. ${report.reason}\n`;
  const { range, failures, failure_count: count } = report;
  const lines = [
    `${report.result === 'ok' ? 'Verified' : 'NOT VERIFIED'}: ${plural(range.records, 'record')}, ${range.from} to ${range.to}${report.chain_id === null ? '' : ` of chain ${report.chain_id}`}.`,
    report.anchored
      ? `Anchored up to record ${report.anchored_to} by a checkpoint.`
      : 'Not anchored: no checkpoint proves that no record was removed or rewritten.',
    ...report.checkpoints
      .filter(({ status }) => status === 'outside')
      .map(({ file }) => `The range does not extend to the checkpoint ${file}.`),
    ...counted(report.dev_records, 'from development mode'),
    ...counted(report.erased_records, 'with erased data'),
    ...unexplainedText(report),
    ...(report.known_faults.length === 0
      ? []
      : [
          `${plural(report.known_faults.length, 'known fault')} of an earlier version, listed by the format mark: ${listed(
            report.known_faults.map(({ kind, seq }) => `${kind} ${seq}`),
          )}.`,
        ]),
    ...counted(report.contradictions, 'of actions that ran although they were not allowed'),
    ...(report.approver_decisions.unsigned === 0
      ? []
      : [`${plural(report.approver_decisions.unsigned, 'approval decision')} without a signature.`]),
    ...(report.approver_decisions.unchecked === 0
      ? []
      : [`${plural(report.approver_decisions.unchecked, 'approval decision')} with a signature that was not checked.`]),
    ...report.revoked.map(
      ({ key_id, from, to, reason }) => `Records ${from} to ${to ?? 'the end'} are signed with the revoked key ${key_id}: ${reason}`,
    ),
    ...failures.map(({ code, file, line, seq, message }) => `  ${formatPlace(file, line, seq)}${code}: ${message}`),
    ...(count > failures.length ? [`  and ${count - failures.length} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where the range ends with the chain, each of them is among the failures. */
function unexplainedText({ unexplained_erasures: erasures, reaches_end: end, range }: ReadableReport): string[] {
  if (erasures.length === 0 || end) return [];
  return [
    `WARNING: ${plural(erasures.length, 'record was', 'records were')} erased without a record in the range that says so: ${listed(erasures)}. ` +
      `The explanation may be after record ${range.to}. Pass a checkpoint, or verify an OSCAL export of the whole chain, to be sure.`,
  ];
}

/** Items for people; programs read all of them in the report. */
const MAX_LISTED = 20;

function listed(items: readonly (string | number)[]): string {
  const more = items.length - MAX_LISTED;
  return `${items.slice(0, MAX_LISTED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

async function anchorFile(path: string): Promise<Anchor> {
  const text = await readFile(path, 'utf8');
  try {
    return readAnchor(path, text);
  } catch (error) {
    throw new TypeError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Messages of the reading functions quote nothing; of errors of the system the code is enough. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return error.message;
  if (error instanceof Error && 'code' in error && 'path' in error) return `Cannot read ${error.path} (${error.code}).`;
  throw error;
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${plural(count, 'record')} ${what}.`];
}

function formatPlace(file: string, line: number | null, seq: number | null): string {
  const place = file === '' ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  return seq === null ? place : `${place}record ${seq}: `;
}
