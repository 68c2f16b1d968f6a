import { COST, closed, instant, printable, text } from './text-schemas.js';

const globs = (description: string) => ({
  description: `${description} Globs: \`*\` within a segment, \`**\` across segments.`,
  type: 'array',
  maxItems: 256,
  items: { type: 'string', minLength: 1, maxLength: 2048 },
});

/** JSON Schema (draft 7) of a mandate. Whether it is genuine, in force and wide enough is for the verdict to say. */
export const MANDATE_SCHEMA = closed(
  'A signed statement that a delegate may act for a subject.',
  ['v', 'mandate_id', 'issuer', 'key_id', 'subject', 'delegate', 'scope', 'limits', 'not_before', 'expires_at', 'sig'],
  {
    v: { description: 'Version of this form.', const: 'svc-mandate/1' },
    mandate_id: printable('Identifier of the mandate, by which it can be revoked.'),
    issuer: printable('Who gave it; the policy bundle lists those that are trusted.'),
    key_id: printable('The key of the issuer that signed it.'),
    subject: printable('For whom the delegate acts: `principal.id`.'),
    delegate: printable('Who may act: `agent.id`.'),
    scope: closed('What the delegate may do.', ['actions', 'resources', 'environments'], {
      actions: globs('Types of actions.'),
      resources: globs('Resources.'),
      environments: globs('Environments.'),
      adapters: globs('Adapters. Absent: any.'),
    }),
    limits: closed('Up to what.', [], {
      max_cost: COST,
      reversible_only: { description: 'Only actions that say they can be undone.', type: 'boolean' },
    }),
    not_before: instant('First instant at which it is in force.'),
    expires_at: instant('First instant at which it no longer is.'),
    purpose: text('What it was given for.', 2048),
    sig: {
      description:
        'Ed25519 over `svc-mandate/1`, a line feed and the canonical text (RFC 8785) of all other members; base64url without padding.',
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{86}$',
    },
  },
);
