import { COST, closed, instant, printable, text } from './text-schemas.js';

const globs = (description: string) => ({
  description: `${description} Globs: \`*\` matches within a segment, \`**\` across segments.`,
  type: 'array',
  maxItems: 256,
  items: { type: 'string', minLength: 1, maxLength: 2048 },
});

/** JSON Schema (draft 7) of a mandate. Whether it is genuine, in force and wide enough is for the verdict to say. */
export const MANDATE_SCHEMA = closed(
  'A signed statement that a delegate may act for a subject.',
  ['v', 'mandate_id', 'issuer', 'key_id', 'subject', 'delegate', 'scope', 'limits', 'not_before', 'expires_at', 'sig'],
  {
    v: { description: 'Version of the format.', const: 'svc-mandate/1' },
    mandate_id: printable('Identifier of the mandate. A mandate is revoked by its identifier.'),
    issuer: printable('Issuer of the mandate. The policy bundle lists the trusted issuers.'),
    key_id: printable('Issuer key that signed the mandate.'),
    subject: printable('Principal for whom the delegate acts: `principal.id`.'),
    delegate: printable('Agent that may act: `agent.id`.'),
    scope: closed('What the delegate may do.', ['actions', 'resources', 'environments'], {
      actions: globs('Action types.'),
      resources: globs('Resources.'),
      environments: globs('Environments.'),
      adapters: globs('Adapters. Default: any.'),
    }),
    limits: closed('Limits of the mandate.', [], {
      max_cost: COST,
      reversible_only: { description: 'Allow only actions that are declared reversible.', type: 'boolean' },
    }),
    not_before: instant('Start of the validity (inclusive).'),
    expires_at: instant('End of the validity (exclusive).'),
    purpose: text('Purpose of the mandate.', 2048),
    sig: {
      description:
        'Ed25519 signature over `svc-mandate/1`, a line feed, and the canonical JSON (RFC 8785) of all other members; base64url without padding.',
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{86}$',
    },
  },
);
