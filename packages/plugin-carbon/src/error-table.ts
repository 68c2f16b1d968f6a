import { BylawError, type ErrorKind } from '@bylaw/core/errors';

/**
 * Every error that can end an estimate, with its stable code; sorted. `docs/reference/errors.md` is generated from it. Over HTTP each is a problem
 * of the status 422 whose slug is the code.
 */
export const CARBON_ERRORS = {
  'carbon-input-missing': { exit: 2, summary: 'Nothing is named whose emissions could be estimated.' },
  'carbon-input-unreadable': { exit: 2, summary: 'The input of an estimate cannot be read.' },
  'marginal-grid-missing': { exit: 2, summary: 'A marginal estimate needs the marginal intensity of the grid.' },
  'provider-missing': { exit: 2, summary: 'Manifests do not say at which provider they run.' },
  'unknown-instance-type': { exit: 2, summary: 'An instance type is not known, and the estimate is strict.' },
  'unknown-region': { exit: 2, summary: 'A region is not known, and the estimate is strict.' },
} as const satisfies Record<string, { exit: ErrorKind['exit']; summary: string }>;

export type CarbonErrorCode = keyof typeof CARBON_ERRORS;

/** An error of the table, with the part of the request that it is about. */
export class CarbonError extends BylawError {
  constructor(
    code: CarbonErrorCode,
    message: string,
    /** JSON Pointer into the request; empty where no part of it is meant. It goes into the problem document, so it holds no names of the caller's. */
    readonly path: string,
    options: { hint?: string; cause?: unknown },
  ) {
    super({ code, exit: CARBON_ERRORS[code].exit }, message, options);
  }
}

export function carbonError(
  code: CarbonErrorCode,
  message: string,
  { path = '', ...options }: { path?: string; hint?: string; cause?: unknown } = {},
): CarbonError {
  return new CarbonError(code, message, path, options);
}

export function isCarbonError(code: string): code is CarbonErrorCode {
  return Object.hasOwn(CARBON_ERRORS, code);
}
