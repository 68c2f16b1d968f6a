import { RESULT_STATUSES } from './proposal.js';
import { closed, instant, text } from './text-schemas.js';

/** JSON Schema (draft 7) of what an adapter reports of an action that ran, or did not. */
export const RESULT_SCHEMA = closed('Result of the action.', ['status'], {
  status: {
    description: 'How the action ended. `deferred` means that another report follows; every other status is final.',
    enum: [...RESULT_STATUSES],
  },
  started_at: instant('When the action started.'),
  finished_at: instant('When the action ended.'),
  exit_code: { description: 'Exit code of the process.', type: 'integer', minimum: -2_147_483_648, maximum: 4_294_967_295 },
  message: text('Message about the result.', 2048),
  output_digest: {
    description: 'SHA-256 digest of the output: `sha256:` and 64 lowercase hexadecimal digits.',
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
  },
  resource_after: text('Address of the resource after the action.', 2048),
  metrics: { description: 'Measured values by name.', type: 'object', maxProperties: 64, additionalProperties: { type: 'number' } },
});
