import { BylawError, type ErrorKind, type Location } from '@bylaw/core/errors';

/**
 * Every error that can end a command of the gate, with its stable code; sorted. `docs/reference/errors.md` is generated from it.
 * Exit codes: 1 something was found or does not verify, 2 usage or schema, 3 configuration or policy, 4 store, 70 internal.
 */
export const GATE_ERRORS = {
  'AG-APR-001': { exit: 2, summary: 'No approval with this id was asked for.' },
  'AG-APR-002': { exit: 1, summary: 'The approval does not wait for this decision.' },
  'AG-APR-003': { exit: 1, summary: 'Nobody decides on a proposal of their own.' },
  'AG-APR-004': { exit: 2, summary: 'The approver is not known, or their key is another.' },
  'AG-APR-005': { exit: 1, summary: 'The policies have changed since the proposal was judged.' },
  'AG-APR-006': { exit: 1, summary: 'The approval has expired.' },
  'AG-CFG-001': { exit: 3, summary: 'No adapter of this name is registered.' },
  'AG-CFG-002': { exit: 3, summary: 'The name of an adapter, or the variable of a secret, is taken.' },
  'AG-CFG-003': { exit: 3, summary: 'A rotation has begun already, or none has.' },
  'AG-CFG-004': { exit: 3, summary: 'The configuration file cannot be changed by a command.' },
  'AG-CFG-005': { exit: 2, summary: 'There is no place where a secret may be shown.' },
  'AG-CFG-006': { exit: 3, summary: 'The gate is not configured.' },
  'AG-EVD-001': { exit: 4, summary: 'There is no evidence signing key, or not the one that the chain goes on with.' },
  'AG-EVD-002': { exit: 4, summary: 'The evidence store cannot be written or read.' },
  'AG-EVD-003': { exit: 2, summary: 'There is no such record, or it cannot be erased.' },
  'AG-EVD-004': { exit: 4, summary: 'The evidence store is damaged, or its chain cannot be gone on with.' },
  'AG-EVD-005': { exit: 2, summary: 'An OSCAL document cannot leave out records by their type.' },
  'AG-KEY-001': { exit: 3, summary: 'The signing key cannot be made or put in its place.' },
  'AG-KEY-002': { exit: 2, summary: 'The key in force cannot be revoked.' },
  'AG-POL-001': { exit: 3, summary: 'The policy bundle has errors.' },
  'AG-POL-002': { exit: 3, summary: 'There is no policy bundle.' },
  'AG-SCH-001': { exit: 2, summary: 'The input is no I-JSON text, or goes over a bound.' },
  'AG-SCH-002': { exit: 2, summary: 'The input does not match its schema.' },
  'AG-SCH-004': { exit: 2, summary: 'The input is larger than the server would take.' },
} as const satisfies Record<string, { exit: ErrorKind['exit']; summary: string }>;

export type GateErrorCode = keyof typeof GATE_ERRORS;

/** An error of the table. */
export function gateError(
  code: GateErrorCode,
  message: string,
  options: { location?: Location; hint?: string; cause?: unknown } = {},
): BylawError {
  return new BylawError({ code, exit: GATE_ERRORS[code].exit }, message, options);
}
