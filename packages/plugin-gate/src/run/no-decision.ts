import { NO_ANSWER, type Submission } from '../client/index.js';

/** What was asked for, and where. */
export interface Request {
  proposalId: string;
  url: string;
}

/** Why there is no decision, and what helps, in whole sentences. */
export function noDecisionText(submission: Exclude<Submission, { kind: 'decided' }>, { proposalId, url }: Request): string {
  if (submission.kind === 'unavailable') {
    if (submission.last === NO_ANSWER)
      return `No decision: ${url} does not answer. Start the gate with \`bylaw serve\`, or pass its URL with --server.`;
    return `${submission.unknown ? 'It is not known whether the gate decided' : 'The gate did not decide'}: ${submission.last}.`;
  }
  const { status, code } = submission;
  const refused = `The gate refused the request with status ${status}${code === undefined ? '' : ` (${code})`}.`;
  const help = HELP.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  return help === undefined ? refused : `${refused} ${help(proposalId)}`;
}

const HELP: readonly (readonly [code: RegExp, help: (proposalId: string) => string])[] = [
  [/^AG-RPL-001$/, (id) => `The proposal id ${id} has already been used. Choose a new id for a new action.`],
  [/^AG-IDN-001$/, () => 'Pass the adapter with --adapter, or set SVC_ADAPTER_ID.'],
  [/^AG-IDN-005$/, () => 'Check the name of the adapter and its secret. A new adapter or secret needs a restart of the server.'],
];
