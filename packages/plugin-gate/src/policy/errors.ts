import { BylawError, type Location } from '@bylaw/core/errors';
import type { BundleError } from './bundle.js';

/** A bundle that has errors. */
export const POLICY_ERROR = { code: 'AG-POL-001', exit: 3 } as const;

export function policyError(message: string, location?: Location): BundleError {
  return { code: POLICY_ERROR.code, message, ...(location && { location }) };
}

/** Errors of core's readers as errors of the bundle. Others are defects. */
export function asBundleError(error: unknown): BundleError {
  if (!(error instanceof BylawError)) throw error;
  return policyError(error.hint === undefined ? error.message : `${error.message} ${error.hint}`, error.location);
}
