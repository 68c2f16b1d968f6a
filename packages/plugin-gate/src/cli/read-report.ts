import { gateError } from '../error-table.js';
import type { Json } from '../json/index.js';
import { isProposalId, type ResultReport, readResult } from '../proposal/index.js';

/**
 * Makes a report of what was given on the command line, and checks it as a server would.
 * @throws {BylawError} AG-SCH-002
 */
export function readReport(proposalId: string, given: { readonly [member: string]: string | number | undefined }): ResultReport {
  if (!isProposalId(proposalId)) throw gateError('AG-SCH-002', 'The id is not a valid proposal id.');
  const members = Object.entries(given).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]]));
  const read = readResult(Object.fromEntries(members));
  if ('report' in read) return read.report;
  throw gateError('AG-SCH-002', read.errors.map(({ path, message }) => `${path} ${message}.`).join('\n'));
}
