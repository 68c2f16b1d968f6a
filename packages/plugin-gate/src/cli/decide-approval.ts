import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { type Installation, openInstallation } from '@bylaw/core/installation';
import type { Config } from '@oclif/core';
import { type ApproverDecision, ruleOnApproval, statementOf, statementText } from '../approval/index.js';
import { type GateConfig, gateConfigOf } from '../config/index.js';
import { gateError } from '../error-table.js';
import { type Signer, signerFromPem } from '../keys/index.js';
import type { EvidenceStore, Recorded, StoredApproval } from '../store/index.js';
import { bundlePath, openBundle } from './open-bundle.js';
import { openStoreToWrite } from './open-store.js';

interface Deciding {
  id: string;
  decision: ApproverDecision['decision'];
  reason: string | null;
  as: string | undefined;
  key: string | undefined;
  config: string | undefined;
}

export interface Decided {
  recorded: Recorded;
  approval: StoredApproval;
}

/**
 * Records what an approver decides.
 * @throws {BylawError} AG-APR-001 to -006, and all that opening the store and the bundle throws
 */
export async function decideApproval(oclif: Config, asked: Deciding): Promise<Decided> {
  const installation = await openInstallation(oclif, { config: asked.config });
  const store = await openStoreToWrite(installation);
  try {
    return await decide(installation, gateConfigOf(installation.loaded.config), store, asked);
  } finally {
    await store.close();
  }
}

async function decide(installation: Installation, gate: GateConfig, store: EvidenceStore, asked: Deciding): Promise<Decided> {
  const approval = await approvalOf(store, asked.id);
  const approver = asked.as ?? userInfo().username;
  const unsigned = { approver, decision: asked.decision, reason: asked.reason, at: installation.clock.now().toISOString() };
  const signer = asked.key === undefined ? undefined : await readKey(asked.key);
  const signature = signer?.sign(statementText(statementOf(approval, store.chainId, unsigned))) ?? null;
  const ruling = ruleOnApproval(
    approval,
    { ...unsigned, signature },
    {
      chainId: store.chainId,
      approvers: gate.approvers,
      allowUnsigned: gate.approvals.allow_unsigned,
      bundleDigest: (await openBundle(bundlePath(installation, undefined))).digest,
    },
  );
  if ('code' in ruling) throw gateError(ruling.code, ruling.message);
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
    reason: asked.reason,
  });
  if (!recorded)
    throw gateError('AG-APR-002', 'Another decision came first.', { hint: 'Look at it with `bylaw approvals show`, and decide again.' });
  return { recorded, approval: await approvalOf(store, asked.id) };
}

/** @throws {BylawError} AG-APR-001 */
export async function approvalOf(store: EvidenceStore, id: string): Promise<StoredApproval> {
  const approval = await store.approval(id);
  if (approval) return approval;
  throw gateError('AG-APR-001', 'No approval with this id was asked for.', { hint: '`bylaw approvals list` shows those that wait.' });
}

async function readKey(file: string): Promise<Signer> {
  try {
    return signerFromPem(await readFile(resolve(file), 'utf8'));
  } catch (cause) {
    throw new BylawError('path-unreadable', `The file ${file} cannot be read as an Ed25519 private key.`, {
      cause,
      hint: '`bylaw approvals key FILE` makes one.',
    });
  }
}
