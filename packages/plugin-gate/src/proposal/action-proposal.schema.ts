import { adapterClass, COST, closed, instant, printable, proposalId, text } from './text-schemas.js';

/** JSON Schema (draft 7) of what an adapter proposes. Bounds of all JSON texts (`BOUNDS` of the json floor) hold besides. */
export const ACTION_PROPOSAL_SCHEMA = closed(
  'An action that an adapter wants a verdict on.',
  ['id', 'principal', 'action', 'environment'],
  {
    id: proposalId('Identifier of the proposal: global and for a single use, for ever. A ULID or a UUID of version 7 is a good choice.'),
    principal: closed('On whose authority the action is to run.', ['id'], {
      id: printable('Identifier of the principal, 1 to 256 printable characters. The limit per principal counts by it.'),
      type: { description: 'What the principal is.', enum: ['human', 'service', 'agent'] },
    }),
    agent: closed('The software that acts.', ['id'], {
      id: printable('Identifier of the agent; a mandate names it as its delegate.'),
      name: printable('Name for people.'),
      version: printable('Version of the agent.'),
      model: printable('Language model that the agent uses.'),
      session_id: printable('Session of the agent.'),
    }),
    adapter: {
      description: 'The adapter that submits. It must be the one that signs the request.',
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    },
    enforcement: adapterClass('Whether the action cannot go around the adapter (enforcing) or can (advisory, also when absent).'),
    action: closed('What is to be done.', ['type', 'resource'], {
      type: {
        description: 'Kind of the action: one to eight names with dots between them, as `kubernetes.deployment.update`.',
        type: 'string',
        pattern: '^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*){0,7}$',
      },
      resource: { description: 'What the action is done to, as an address.', type: 'string', minLength: 1, maxLength: 2048 },
      parameters: {
        description:
          'Any object that describes the action, such as `manifests` with Kubernetes objects. Only the size of the body bounds its texts.',
        type: 'object',
      },
      cost: COST,
      reversible: { description: 'Whether the action can be undone.', type: 'boolean' },
      summary: text('The action in one sentence.', 2048),
    }),
    environment: { description: 'Where the action runs, as `production`.', type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
    justification: text('Why the action is to run.', 2048),
    requested_at: instant('The instant that the proposal is judged at. Absent: the time of the request.'),
    context: {
      description: 'Where the proposal comes from: identifiers of a run, a commit, a ticket, a trace.',
      type: 'object',
      maxProperties: 64,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    parent_id: proposalId('The proposal that this one is a part of.'),
  },
);
