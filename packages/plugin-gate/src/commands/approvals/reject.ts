import { Args, Command, Flags } from '@oclif/core';
import { deciding } from '../../cli/deciding-flags.js';

export default class ApprovalsReject extends Command {
  static override summary = 'Reject a proposal that waits for an approval.';

  static override description = 'One rejection is enough, and it is final: the action must be proposed anew.';

  static override examples = ['<%= config.bin %> approvals reject apr_01JD8Z3V7K9Q2M4N6P8R0T2W4Y --as carol --key carol.key'];

  static override args = { id: Args.string({ name: 'ID', description: 'Id of the approval.', required: true }) };

  static override flags = {
    reason: Flags.string({ description: 'Why, for the record.', helpValue: 'TEXT' }),
    ...deciding,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApprovalsReject);
    const [{ decideApproval }, { approvalJson }, { print, printJson }] = await Promise.all([
      import('../../cli/decide-approval.js'),
      import('../../cli/approval-text.js'),
      import('../../cli/output.js'),
    ]);
    const { as, key, config } = flags;
    const { approval, recorded } = await decideApproval(this.config, {
      id: args.id,
      decision: 'reject',
      reason: flags.reason ?? null,
      as,
      key,
      config,
    });
    if (flags.json) await printJson({ ...approvalJson(approval, approval.state), evidence_ref: recorded.ref });
    else await print(`Recorded as evidence ${recorded.ref}. The approval is ${approval.state}.\n`);
  }
}
