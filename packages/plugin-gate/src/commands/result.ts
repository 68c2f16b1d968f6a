import { Args, Command, Flags } from '@oclif/core';
import { connect, connecting } from '../cli/connect.js';
import { RESULT_STATUSES } from '../proposal/index.js';

export default class Result extends Command {
  static override summary = 'Report what happened when an action ran.';

  static override description =
    'Only the adapter that handed in a proposal may report on it. `deferred` may be reported any number of times, the others end the matter. Sending the same report again records it once. Exits with 0 when it is recorded, and with 1 when not.';

  static override examples = [
    '<%= config.bin %> result 01JD8Z3V --status ok',
    '<%= config.bin %> result 01JD8Z3V --status error --exit-code 2 --message "The rollout timed out."',
  ];

  static override args = { id: Args.string({ name: 'ID', description: 'Id of the proposal.', required: true }) };

  static override flags = {
    status: Flags.string({ description: 'How it ended.', options: [...RESULT_STATUSES], required: true }),
    'exit-code': Flags.integer({ description: 'Exit code of the program that ran.' }),
    message: Flags.string({ description: 'In a sentence or two; at most 2,048 characters. Secrets in it are masked.', helpValue: 'TEXT' }),
    'started-at': Flags.string({ description: 'RFC 3339 in UTC with milliseconds.', helpValue: 'TIME' }),
    'finished-at': Flags.string({ description: 'The same.', helpValue: 'TIME' }),
    'output-digest': Flags.string({ description: '`sha256:` and the digest of the output in hexadecimal.', helpValue: 'DIGEST' }),
    ...connecting,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Result);
    const connection = await connect(this.config, flags);
    const [{ reportResult }, { print, tell }, { readReport }] = await Promise.all([
      import('../client/index.js'),
      import('../cli/output.js'),
      import('../cli/read-report.js'),
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
        : `The gate has refused the report with status ${reported.status}${reported.code === undefined ? '' : ` (${reported.code})`}.`,
    );
    process.exitCode = 1;
  }
}
