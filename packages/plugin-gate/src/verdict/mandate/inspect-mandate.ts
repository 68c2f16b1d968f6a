import type { Bundle } from '../../policy/index.js';
import type { Envelope, Mandate } from '../../proposal/index.js';
import { withDefaults } from '../defaults.js';
import { ownReason } from '../reasons.js';
import type { Reason } from '../verdict.js';
import { forceReasons, isGenuine, limitReasons, scopeReasons } from './mandate.js';

/** One thing that makes a mandate valid, and why it does not hold. `unchecked`: what it takes was not given. */
export interface MandateCheck {
  check: 'signature' | 'revocation' | 'validity' | 'proposal';
  status: 'ok' | 'failed' | 'unchecked';
  reasons: Reason[];
}

/**
 * Checks a mandate as the gate does, each condition apart, with the same codes. All that the gate does not look at once the
 * signature is wrong is checked here all the same, so that one look shows everything.
 * @param bundle whose issuers and revocations count; absent: neither is checked, and any lifetime is allowed
 * @param envelope the proposal that the mandate is to cover
 * @param time milliseconds since 1970
 */
export function inspectMandate(
  mandate: Mandate,
  { bundle, envelope, time }: { bundle: Bundle | undefined; envelope: Envelope | undefined; time: number },
): MandateCheck[] {
  const filled = envelope && withDefaults(envelope);
  return [
    checkOf('signature', bundle && signatureReasons(mandate, bundle)),
    checkOf('revocation', bundle && (bundle.trust.isRevoked(mandate) ? [ownReason('AG-POL-017')] : [])),
    checkOf('validity', forceReasons(mandate, bundle, time)),
    checkOf('proposal', filled && [...scopeReasons(mandate, filled), ...limitReasons(mandate, filled)]),
  ];
}

function checkOf(check: MandateCheck['check'], reasons: Reason[] | undefined): MandateCheck {
  return { check, status: reasons === undefined ? 'unchecked' : reasons.length === 0 ? 'ok' : 'failed', reasons: reasons ?? [] };
}

function signatureReasons(mandate: Mandate, bundle: Bundle): Reason[] {
  if (isGenuine(mandate, bundle)) return [];
  const keys = bundle.trust.issuers.get(mandate.issuer);
  if (keys === undefined) return [ownReason('AG-POL-013', 'The bundle does not trust the issuer.')];
  if (!keys.has(mandate.key_id)) return [ownReason('AG-POL-013', 'The bundle trusts the issuer, but not this key.')];
  return [ownReason('AG-POL-013', 'The signature does not match: a different key signed the mandate, or somebody changed it.')];
}
