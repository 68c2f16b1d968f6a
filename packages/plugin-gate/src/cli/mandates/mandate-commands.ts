import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { readInstant } from '../../json/index.js';
import { type Signer, signerFromPem } from '../../keys/index.js';
import type { Bundle } from '../../policy/index.js';
import { writePrivateFile } from '../../private-file.js';
import { type Mandate, readMandate } from '../../proposal/index.js';
import { ulid } from '../../service/ulid.js';
import { inspectMandate, type MandateCheck } from '../../verdict/index.js';
import { bundlePath, openBundle } from '../open/open-bundle.js';
import { readInput, readJson } from '../terminal/read-input.js';
import { issueMandate, type MandateFlags } from './issue-mandate.js';
import { issuerEntry } from './mandate-text.js';

/** Of bundles that do not say another. */
const MAX_LIFETIME_HOURS = 720;

/**
 * Issues a mandate.
 * @returns the mandate, and what the bundle still lacks to accept it
 * @throws {BylawError} AG-SCH-002, `path-unreadable`, and all that opening the bundle throws
 */
export async function issueFromFlags(
  installation: Installation,
  flags: MandateFlags & { key: string; bundle?: string | undefined },
): Promise<{ mandate: Mandate; missing: string | undefined }> {
  const signer = await readIssuerKey(flags.key);
  const bundle = await bundleIfAny(installation, flags.bundle);
  const now = installation.clock.now();
  const mandate = await issueMandate(flags, {
    signer,
    now,
    newId: () => `m-${ulid(now.getTime(), randomBytes(10)).toLowerCase()}`,
    maxLifetimeHours: bundle?.mandate.maxLifetimeHours ?? MAX_LIFETIME_HOURS,
  });
  return { mandate, missing: bundle && trustProblem(mandate, bundle, signer) };
}

/** @throws {BylawError} `output-unwritable` */
export async function writeMandate(path: string, mandate: Mandate): Promise<void> {
  try {
    await writePrivateFile(path, `${JSON.stringify(mandate, null, 2)}\n`);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    if (code === undefined) throw cause;
    throw new BylawError('output-unwritable', code === 'EEXIST' ? `The file ${path} already exists.` : `Cannot write ${path} (${code}).`, {
      cause,
    });
  }
}

/**
 * Checks a mandate from a file.
 * @returns the mandate, its checks, and whether the gate would take it: null if something was not checked and nothing failed
 * @throws {BylawError} AG-SCH-001, -002, -004, `usage`, and all that opening the bundle throws
 */
export async function inspectFile(
  installation: Installation,
  file: string,
  flags: { bundle?: string | undefined; proposal?: string | undefined; at?: string | undefined },
): Promise<{ mandate: Mandate; checks: MandateCheck[]; valid: boolean | null }> {
  const read = readMandate(await readJson(file));
  if ('errors' in read)
    throw gateError('AG-SCH-002', read.errors.map(({ path, message }) => `${file}: ${path || 'the document'} ${message}.`).join('\n'));
  const envelope = flags.proposal === undefined ? undefined : await readInput({ proposal: flags.proposal });
  const time = readInstant(envelope?.proposal.requested_at ?? flags.at ?? installation.clock.now().toISOString());
  if (time === undefined) throw new BylawError('usage', '--at must be a timestamp.', { hint: 'Use the format 2026-01-02T03:04:05.678Z.' });
  const bundle = await bundleIfAny(installation, flags.bundle);
  const checks = inspectMandate(read.mandate, { bundle, envelope, time });
  const failed = checks.some(({ status }) => status === 'failed');
  return { mandate: read.mandate, checks, valid: failed ? false : checks.some(({ status }) => status === 'unchecked') ? null : true };
}

/** The named bundle, else the configured one, if there is one. */
async function bundleIfAny(installation: Installation, named: string | undefined): Promise<Bundle | undefined> {
  const configured = gateConfigOf(installation.loaded.config).policy.bundle;
  return named === undefined && configured === undefined ? undefined : openBundle(bundlePath(installation, named));
}

function trustProblem({ issuer, key_id }: Mandate, bundle: Bundle, signer: Signer): string | undefined {
  const trusted = bundle.trust.issuers.get(issuer)?.get(key_id)?.export({ format: 'jwk' }).x;
  if (trusted === signer.publicKey) return undefined;
  const why = trusted === undefined ? 'does not trust this key yet' : 'has a different key with this id';
  return `The bundle ${why}. It needs this entry:\n${issuerEntry(issuer, key_id, signer.publicKey)}`;
}

async function readIssuerKey(file: string): Promise<Signer> {
  try {
    return signerFromPem(await readFile(resolve(file), 'utf8'));
  } catch (cause) {
    throw new BylawError('path-unreadable', `Cannot read ${file} as an Ed25519 private key.`, {
      cause,
      hint: 'Create a key with `bylaw mandate key FILE`.',
    });
  }
}
