import { errorsOf, errorTable } from '@bylaw/core/errors';

/**
 * Every error that can end a command of the gate, with its stable code; sorted. `docs/reference/errors.md` is generated from it.
 * Exit codes: 1 something was found or does not verify, 2 usage or schema, 3 configuration or policy, 4 store, 70 internal.
 */
export const GATE_ERRORS = errorTable({
  'AG-APR-001': { exit: 2, summary: 'No approval has this id.' },
  'AG-APR-002': { exit: 1, summary: 'The approval does not accept this decision.' },
  'AG-APR-003': { exit: 1, summary: 'Approvers cannot decide on their own proposals.' },
  'AG-APR-004': { exit: 2, summary: 'Unknown approver, or the key does not match.' },
  'AG-APR-005': { exit: 1, summary: 'The policies have changed since the proposal was evaluated.' },
  'AG-APR-006': { exit: 1, summary: 'The approval has expired.' },
  'AG-APR-007': { exit: 1, summary: 'The approver is not in any of the required groups.' },
  'AG-CFG-001': { exit: 3, summary: 'No adapter with this name is registered.' },
  'AG-CFG-002': { exit: 3, summary: 'The adapter name or the secret variable is already in use.' },
  'AG-CFG-003': { exit: 3, summary: 'A rotation is already in progress, or no rotation is in progress.' },
  'AG-CFG-004': { exit: 3, summary: 'A command cannot change the configuration file.' },
  'AG-CFG-005': { exit: 2, summary: 'There is no safe place to show a secret.' },
  'AG-CFG-006': { exit: 3, summary: 'The gate is not configured.' },
  'AG-CFG-007': { exit: 3, summary: 'A running server cannot load its configuration file, and keeps the configuration in force.' },
  'AG-CFG-008': { exit: 3, summary: 'A file or section that a new gate needs already exists.' },
  'AG-EVD-001': { exit: 4, summary: 'The evidence signing key is missing, or it is not the active key of the chain.' },
  'AG-EVD-002': { exit: 4, summary: 'The evidence store cannot be read or written.' },
  'AG-EVD-003': { exit: 2, summary: 'The record does not exist, or it cannot be erased.' },
  'AG-EVD-004': { exit: 4, summary: 'The evidence store is damaged, or its chain cannot be continued.' },
  'AG-EVD-005': { exit: 2, summary: 'An OSCAL export cannot be filtered by record type.' },
  'AG-EVD-008': { exit: 1, summary: 'The tables of the evidence store do not match its records.' },
  'AG-EVD-009': { exit: 4, summary: 'It is not known whether the change was recorded.' },
  'AG-KEY-001': { exit: 3, summary: 'The signing key cannot be created or replaced.' },
  'AG-KEY-002': { exit: 2, summary: 'The active key cannot be revoked.' },
  'AG-POL-001': { exit: 3, summary: 'The policy bundle has errors.' },
  'AG-POL-002': { exit: 3, summary: 'There is no policy bundle.' },
  'AG-RUN-001': { exit: 2, summary: 'The command does not exist, or only a shell can run it.' },
  'AG-RUN-002': { exit: 2, summary: 'A command that is not valid UTF-8 cannot be proposed.' },
  'AG-RUN-003': { exit: 4, summary: 'The folder of kept proposals cannot be used, or other users can use it.' },
  'AG-SCH-001': { exit: 2, summary: 'The input is not valid I-JSON, or it exceeds a limit.' },
  'AG-SCH-002': { exit: 2, summary: 'The input does not match its schema.' },
  'AG-SCH-004': { exit: 2, summary: 'The input is larger than the server accepts.' },
});

export type GateErrorCode = keyof typeof GATE_ERRORS;

/** An error of the table. */
export const gateError = errorsOf(GATE_ERRORS);
