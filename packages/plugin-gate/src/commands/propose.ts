import { plural } from '@bylaw/core/plural';
import { Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/proposals/connect.js';
import { json, proposalFile } from '../cli/terminal/input-flags.js';
import type { Connection, FailMode } from '../client/index.js';

/** Exit codes by what may be done. */
const EXITS = { ALLOW: 0, DENY: 10, REQUIRE_APPROVAL: 11 } as const;

export default class Propose extends Command {
  static override summary = 'Submit a proposed action and report whether it may run.';

  static override description =
    `The reference adapter: it signs and submits the proposal, waits if the gate asks it to, recovers a lost answer, and acts on \`effective_decision\`, never on \`verdict.decision\`. Prints the decision, its reasons, and what to do next.

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
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Propose);
    const connection = await connect(this.config, flags);
    const [
      { readInput },
      { answerText, sixMembers, undecidedText },
      { awaitApproval, permission, submitProposal },
      { pendingText },
      { print, printJson, tell },
    ] = await Promise.all([
      import('../cli/terminal/read-input.js'),
      import('../cli/proposals/answer-text.js'),
      import('../client/index.js'),
      import('../run/index.js'),
      import('../cli/terminal/output.js'),
    ]);
    const envelope = await readInput({ proposal: args.file });
    const patience = flags.patience * 1000;
    const answered = { proposalId: envelope.proposal.id, dev: connection.identity === undefined, url: connection.url };
    let submission = await submitProposal(tellingOfRetries(connection, flags.patience, tell), envelope, JSON.stringify(envelope), patience);
    if (flags.wait && submission.kind === 'decided' && submission.answer.effective_decision === 'REQUIRE_APPROVAL') {
      tell(`${pendingText(submission.answer, answered.dev)}\nWaiting for the approval.`);
      submission = await awaitApproval(connection, envelope.proposal.id, patience);
    }
    if (submission.kind !== 'decided') tell(undecidedText(submission, answered));
    else if (flags.json) await printJson(sixMembers(submission.answer));
    else await print(answerText(submission.answer, answered));
    // The flag has two options.
    const { decision, guarded } = permission(submission, flags.fail as FailMode);
    if (decision === 'ALLOW' && !guarded) tell('--fail open: the action may run without a decision and without evidence.');
    process.exitCode = EXITS[decision];
  }
}

/** Without a word, a minute of retries looks like a command that hangs. */
function tellingOfRetries(connection: Connection, seconds: number, tell: (text: string) => void): Connection {
  let told = false;
  const wait = (ms: number) => {
    if (!told) tell(`No decision from ${connection.url} yet. Trying again for up to ${plural(seconds, 'second')}.`);
    told = true;
    return connection.wait(ms);
  };
  return { ...connection, wait };
}
