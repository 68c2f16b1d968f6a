import { errorsOf, errorTable } from '@bylaw/core/errors';

/**
 * Every error that can end an estimate or a report, with its stable code; sorted. `docs/reference/errors.md` is generated from it. Over HTTP each is a problem
 * of the status 422 whose slug is the code.
 */
export const CARBON_ERRORS = errorTable({
  'baseline-missing': { exit: 2, summary: 'A target in percent needs a baseline.' },
  'carbon-input-missing': { exit: 2, summary: 'There is no input to estimate.' },
  'carbon-input-unreadable': { exit: 2, summary: 'The input of the estimate cannot be read.' },
  'estimate-inconsistent': { exit: 2, summary: 'The numbers of a saved estimate contradict each other.' },
  'format-needs-input': { exit: 2, summary: 'This input cannot be written in this report format.' },
  'marginal-grid-missing': { exit: 2, summary: 'A marginal estimate needs a marginal grid intensity.' },
  'period-invalid': { exit: 2, summary: 'A report period is invalid or overlaps a different period.' },
  'provider-missing': { exit: 2, summary: 'Manifests do not specify a provider.' },
  'report-sources': { exit: 2, summary: 'A report needs exactly one source: inputs, an estimate, or several periods.' },
  'unknown-instance-type': { exit: 2, summary: 'An instance type is unknown, and the estimate is strict.' },
  'unknown-region': { exit: 2, summary: 'A region is unknown, and the estimate is strict.' },
  'upstream-energy-included': { exit: 2, summary: 'The grid intensities already include upstream emissions.' },
});

export type CarbonErrorCode = keyof typeof CARBON_ERRORS;

/** `path` is a JSON Pointer into the request, without names of the caller's; empty if no part of it is meant. */
export const carbonError = errorsOf(CARBON_ERRORS, { path: '' });

export function isCarbonError(code: string): code is CarbonErrorCode {
  return Object.hasOwn(CARBON_ERRORS, code);
}
