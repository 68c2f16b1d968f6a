import { Args, Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/proposals/connect.js';
import { RESULT_STATUSES } from '../proposal/index.js';

export default class Result extends Command {
  static override summary = 'Report what happened when an action ran.';

  static override description =
    'Only the adapter that submitted a proposal may report its result. You can report `deferred` any number of times; every other status is final. A report that is sent again is recorded once. Exits with 0 if the report is recorded, and with 1 otherwise.';

  static override examples = [
    '<%= config.bin %> result 01JD8Z3V --status ok',
    '<%= config.bin %> result 01JD8Z3V --status error --exit-code 2 --message "The rollout timed out."',
  ];

  static override args = { id: Args.string({ name: 'ID', description: 'ID of the proposal.', required: true }) };

  static override flags = {
    status: Flags.string({ description: 'How the action ended.', options: [...RESULT_STATUSES], required: true }),
    'exit-code': Flags.integer({ description: 'Exit code of the program that ran.' }),
    message: Flags.string({ description: 'What happened, in at most 2,048 characters. Secrets are masked.', helpValue: 'TEXT' }),
    'started-at': Flags.string({ description: 'When the action started, as RFC 3339 in UTC with milliseconds.', helpValue: 'TIME' }),
    'finished-at': Flags.string({ description: 'When the action ended, in the same format.', helpValue: 'TIME' }),
    'output-digest': Flags.string({ description: 'Digest of the output: `sha256:` and hexadecimal digits.', helpValue: 'DIGEST' }),
    ...connecting,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Result);
    const connection = await connect(this.config, flags);
    const [{ reportResult }, { print, tell }, { readReport }] = await Promise.all([
      import('../client/index.js'),
      import('../cli/terminal/output.js'),
      import('../cli/terminal/read-input.js'),
    ]);
    const report = readReport(args.id, {
      status: flags.status,
      exit_code: flags['exit-code'],
      message: flags.message,
      started_at: flags['started-at'],
      finished_at: flags['finished-at'],
      output_digest: flags['output-digest'],
    });
    const reported = await reportResult(connection, args.id, JSON.stringify(report), flags.patience * 1000);
    if (reported.kind === 'recorded') return print(`${JSON.stringify(reported.answer)}\n`);
    tell(
      reported.kind === 'unavailable'
        ? `The report was not recorded: ${reported.last}.`
        : `The gate refused the report with status ${reported.status}${reported.code === undefined ? '' : ` (${reported.code})`}.`,
    );
    process.exitCode = 1;
  }
}
