import { RESULT_STATUSES } from './proposal.js';
import { closed, instant, text } from './text-schemas.js';

/** JSON Schema (draft 7) of what an adapter reports of an action that ran, or did not. */
export const RESULT_SCHEMA = closed('What happened to the action.', ['status'], {
  status: {
    description: 'How the action ended. `deferred` means that a report will follow; all others are final.',
    enum: [...RESULT_STATUSES],
  },
  started_at: instant('When the action started.'),
  finished_at: instant('When the action ended.'),
  exit_code: { description: 'Exit code of the process.', type: 'integer', minimum: -2_147_483_648, maximum: 4_294_967_295 },
  message: text('What there is to say of it.', 2048),
  output_digest: {
    description: 'SHA-256 of the output, as `sha256:` and 64 hexadecimal digits in lower case.',
    type: 'string',
    pattern: '^sha256:[0-9a-f]{64}$',
  },
  resource_after: text('Address of the resource after the action.', 2048),
  metrics: { description: 'Measured numbers by name.', type: 'object', maxProperties: 64, additionalProperties: { type: 'number' } },
});
