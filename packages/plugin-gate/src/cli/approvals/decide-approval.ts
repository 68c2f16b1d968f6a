import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import type { Config } from '@oclif/core';
import {
  type ApprovalRefusal,
  type ApproverDecision,
  approversNow,
  ruleOnApproval,
  statementOf,
  statementText,
} from '../../approval/index.js';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { type Signer, signerFromPem } from '../../keys/index.js';
import type { EvidenceStore, Recorded, StoredApproval } from '../../store/index.js';
import { configuredKeyFile } from '../keys/key-file.js';
import { bundlePath, openBundle } from '../open/open-bundle.js';
import { type GateInstallation, openGateWithStore } from '../open/open-gate.js';
import { openStoreToWrite, systemUser } from '../open/open-store.js';
import { print, printJson } from '../terminal/output.js';
import { approvalJson } from './approval-text.js';
import { approverHint } from './approver-hint.js';

/** What was given on the command line. */
interface Asked {
  reason?: string | undefined;
  as?: string | undefined;
  key?: string | undefined;
  dev: boolean;
  config?: string | undefined;
  json: boolean;
}

/** Refusals that another approver could avoid. */
const WRONG_APPROVER: ReadonlySet<ApprovalRefusal['code']> = new Set(['AG-APR-003', 'AG-APR-004']);

interface Decided {
  recorded: Recorded;
  approval: StoredApproval;
}

/**
 * Records what an approver decides, and tells what has become of the approval.
 * @throws {BylawError} AG-APR-001 to -007, and all that opening the store and the bundle throws
 */
export async function decideAndTell(oclif: Config, decision: ApproverDecision['decision'], id: string, asked: Asked): Promise<void> {
  const installation = await openGateWithStore(oclif, asked);
  const store = await openStoreToWrite(installation);
  const { approval, recorded } = await decide(installation, store, decision, id, asked).finally(() => store.close());
  if (asked.json) await printJson({ ...approvalJson(approval, approval.state), evidence_ref: recorded.ref });
  else await print(`Recorded as evidence ${recorded.ref}. The approval is ${approval.state}.\n`);
}

async function decide(
  installation: GateInstallation,
  store: EvidenceStore,
  decision: ApproverDecision['decision'],
  id: string,
  { as: approver = systemUser(), key, reason: given }: Asked,
): Promise<Decided> {
  const gate = gateConfigOf(installation.loaded.config);
  const approval = await approvalOf(store, id);
  const bundle = await openBundle(bundlePath(installation, undefined));
  // Masked before it is signed: the signature must fit what is recorded.
  const reason = given === undefined ? null : String(bundle.masker.mask(given));
  const unsigned = { approver, decision, reason, at: installation.clock.now().toISOString() };
  const anybody = approversNow(gate.approvers, installation.dev ?? false) === 'anybody';
  const keyFile = key ?? (anybody ? configuredKeyFile(installation) : undefined);
  const signer = keyFile === undefined ? undefined : await readKey(keyFile);
  const signature = signer?.sign(statementText(statementOf(approval, store.chainId, unsigned))) ?? null;
  const decided = { ...unsigned, signature };
  const rules = {
    chainId: store.chainId,
    approvers: anybody && signer ? [{ id: approver, public_key: signer.publicKey, groups: approval.need.groups }] : gate.approvers,
    allowUnsigned: gate.approvals.allow_unsigned,
    bundleDigest: bundle.digest,
  };
  const ruling = ruleOnApproval(approval, decided, rules);
  if ('code' in ruling) {
    const anybodyElse = 'In dev mode without approvers, anybody else can decide: pass a different name with --as.';
    const hint = anybody ? anybodyElse : approverHint(approval, decided, rules, signer?.publicKey);
    throw gateError(ruling.code, ruling.message, WRONG_APPROVER.has(ruling.code) ? { hint } : {});
  }
  const proposal = await store.proposal(approval.proposalId);
  const recorded = await store.settle({
    kind: 'approval',
    approvalId: approval.id,
    ...ruling,
    time: unsigned.at,
    dev: proposal?.dev ?? false,
    reportedBy: `operator:${approver}`,
    approver,
    approverSig: signature,
    reason,
  });
  if (!recorded)
    throw gateError('AG-APR-002', 'Another decision was recorded first.', {
      hint: 'Run `bylaw approvals show` to see it, and decide again.',
    });
  return { recorded, approval: await approvalOf(store, id) };
}

/** @throws {BylawError} AG-APR-001 */
export async function approvalOf(store: EvidenceStore, id: string): Promise<StoredApproval> {
  const approval = await store.approval(id);
  if (approval) return approval;
  throw gateError('AG-APR-001', 'No approval has this id.', { hint: 'Run `bylaw approvals list` to see the pending approvals.' });
}

async function readKey(file: string): Promise<Signer> {
  try {
    return signerFromPem(await readFile(resolve(file), 'utf8'));
  } catch (cause) {
    throw new BylawError('path-unreadable', `Cannot read ${file} as an Ed25519 private key.`, {
      cause,
      hint: 'Create a key with `bylaw approvals key FILE`.',
    });
  }
}
