import { Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/connect.js';
import { proposalFile } from '../cli/input-flags.js';
import type { FailMode } from '../client/index.js';

/** Exit codes by what may be done. */
const EXITS = { ALLOW: 0, DENY: 10, REQUIRE_APPROVAL: 11 } as const;

export default class Propose extends Command {
  static override summary = 'Submit a proposed action and report whether it may run.';

  static override description =
    `The reference adapter: it signs and submits the proposal, waits if the gate asks it to, recovers a lost answer, and acts on \`effective_decision\`, never on \`verdict.decision\`. Prints the answer of the gate.

Exits with 0 if the action may run, 10 if it may not, and 11 if it needs an approval first. \`--fail closed\` treats any answer that is not a decision as a refusal. \`--fail open\` lets the action run, unrecorded, if the gate cannot be reached or cannot decide; a request that the gate refuses stays refused.`;

  static override examples = [
    {
      description: 'In a job: deploy only if allowed',
      command: '<%= config.bin %> propose deploy.json && kubectl apply -f deploy.yaml',
    },
    { description: 'Wait for the approval', command: '<%= config.bin %> propose deploy.json --wait' },
    { description: 'From another program', command: 'generate-proposal | <%= config.bin %> propose - --adapter ci-main' },
  ];

  static override args = { file: proposalFile };

  static override flags = {
    fail: Flags.string({ description: 'What to do without a decision.', options: ['closed', 'open'], default: 'closed' }),
    wait: Flags.boolean({ description: 'If an approval is needed, wait until it is granted, rejected, or expired.' }),
    ...connecting,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Propose);
    const connection = await connect(this.config, flags);
    const [{ readInput }, { awaitApproval, permission, submitProposal }, { print, tell }] = await Promise.all([
      import('../cli/read-input.js'),
      import('../client/index.js'),
      import('../cli/output.js'),
    ]);
    const envelope = await readInput({ proposal: args.file });
    const patience = flags.patience * 1000;
    let submission = await submitProposal(connection, envelope, JSON.stringify(envelope), patience);
    if (flags.wait && submission.kind === 'decided' && submission.answer.effective_decision === 'REQUIRE_APPROVAL') {
      tell(`The proposal is waiting for the approval ${submission.answer.approval}.`);
      submission = await awaitApproval(connection, envelope.proposal.id, patience);
    }
    if (submission.kind === 'decided') await print(`${JSON.stringify(submission.answer)}\n`);
    else tell(submission.kind === 'refused' ? refusal(submission) : noDecision(submission));
    // The flag has two options.
    const { decision, guarded } = permission(submission, flags.fail as FailMode);
    if (decision === 'ALLOW' && !guarded) tell('--fail open: the action may run without a decision and without evidence.');
    process.exitCode = EXITS[decision];
  }
}

function noDecision({ last, unknown }: { last: string; unknown: boolean }): string {
  return unknown
    ? `It is not known whether the gate decided: ${last}. Run the same command again: the gate decides a proposal only once.`
    : `The gate did not decide: ${last}.`;
}

function refusal({ status, code }: { status: number; code: string | undefined }): string {
  return `The gate refused the request with status ${status}${code === undefined ? '' : ` (${code})`}.`;
}
