import { Command, Flags } from '@oclif/core';
import { config, dev, json } from '../../cli/input-flags.js';
import { openGateWithStore } from '../../cli/open-gate.js';

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
      import('../../cli/approval-text.js'),
      import('../../cli/read-approvals.js'),
      import('../../cli/output.js'),
    ]);
    const approvals = await readApprovals(await openGateWithStore(this.config, flags), async (store, standing) => {
      const found = await store.approvals(flags.all ? undefined : flags.state);
      return Promise.all(found.map(async (approval) => approvalJson(approval, await standing(approval))));
    });
    if (flags.json) await printJson({ approvals });
    else await print(approvalLines(approvals));
  }
}
