import { BylawError, type BylawErrorOptions, type ErrorKind } from '@bylaw/core/errors';

/**
 * Every error that can end an estimate or a report, with its stable code; sorted. `docs/reference/errors.md` is generated from it. Over HTTP each is a problem
 * of the status 422 whose slug is the code.
 */
export const CARBON_ERRORS = {
  'baseline-missing': { exit: 2, summary: 'A target in percent needs a baseline.' },
  'carbon-input-missing': { exit: 2, summary: 'Nothing is named whose emissions could be estimated.' },
  'carbon-input-unreadable': { exit: 2, summary: 'The input of an estimate cannot be read.' },
  'estimate-inconsistent': { exit: 2, summary: 'The numbers of a saved estimate contradict one another.' },
  'format-needs-input': { exit: 2, summary: 'This format of a report cannot be written of this input.' },
  'marginal-grid-missing': { exit: 2, summary: 'A marginal estimate needs the marginal intensity of the grid.' },
  'period-invalid': { exit: 2, summary: 'A period of a report ends before it starts, or overlaps another.' },
  'provider-missing': { exit: 2, summary: 'Manifests do not say at which provider they run.' },
  'report-sources': { exit: 2, summary: 'A report is of inputs, of an estimate, or of several periods: of one of them.' },
  'unknown-instance-type': { exit: 2, summary: 'An instance type is not known, and the estimate is strict.' },
  'unknown-region': { exit: 2, summary: 'A region is not known, and the estimate is strict.' },
  'upstream-energy-included': { exit: 2, summary: 'What comes before the power plants is part of the intensities already.' },
} as const satisfies Record<string, { exit: ErrorKind['exit']; summary: string }>;

export type CarbonErrorCode = keyof typeof CARBON_ERRORS;

/** @param options `path`: JSON Pointer into the request, without names of the caller's; empty where no part of it is meant */
export function carbonError(code: CarbonErrorCode, message: string, options: BylawErrorOptions = {}): BylawError {
  return new BylawError({ code, exit: CARBON_ERRORS[code].exit }, message, { path: '', ...options });
}

export function isCarbonError(code: string): code is CarbonErrorCode {
  return Object.hasOwn(CARBON_ERRORS, code);
}
