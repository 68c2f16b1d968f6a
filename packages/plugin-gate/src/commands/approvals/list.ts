import { Command, Flags } from '@oclif/core';
import { openGateWithStore } from '../../cli/open/open-gate.js';
import { config, dev, json } from '../../cli/terminal/input-flags.js';

const STATES = ['pending', 'granted', 'rejected', 'expired', 'cancelled', 'consumed'] as const;

export default class ApprovalsList extends Command {
  static override summary = 'List approvals, newest first.';

  static override examples = ['<%= config.bin %> approvals list', '<%= config.bin %> approvals list --state granted --json'];

  static override flags = {
    state: Flags.option({ options: STATES, description: 'Show only approvals in this state.', default: 'pending' as const })(),
    all: Flags.boolean({ description: 'Show approvals in any state.', exclusive: ['state'] }),
    dev,
    config,
    json,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApprovalsList);
    const [{ approvalJson, approvalLines }, { readApprovals }, { print, printJson }] = await Promise.all([
      import('../../cli/approvals/approval-text.js'),
      import('../../cli/approvals/read-approvals.js'),
      import('../../cli/terminal/output.js'),
    ]);
    const approvals = await readApprovals(await openGateWithStore(this.config, flags), async (store, standing) => {
      const found = await store.approvals(flags.all ? undefined : flags.state);
      return Promise.all(found.map(async (approval) => approvalJson(approval, await standing(approval))));
    });
    if (flags.json) await printJson({ approvals });
    else await print(approvalLines(approvals));
  }
}
