import { adapterClass, COST, closed, instant, printable, proposalId, text } from './text-schemas.js';

/** JSON Schema (draft 7) of what an adapter proposes. Bounds of all JSON texts (`BOUNDS` of the json floor) apply, too. */
export const ACTION_PROPOSAL_SCHEMA = closed(
  'A proposed action that an adapter requests a verdict for.',
  ['id', 'principal', 'action', 'environment'],
  {
    id: proposalId('Globally unique identifier of the proposal. It can be used only once. Use a ULID or a version 7 UUID.'),
    principal: closed('The principal on whose authority the action runs.', ['id'], {
      id: printable('Identifier of the principal, 1 to 256 printable characters. The per-principal rate limit uses it.'),
      type: { description: 'Kind of principal.', enum: ['human', 'service', 'agent'] },
    }),
    agent: closed('The software that performs the action.', ['id'], {
      id: printable('Identifier of the agent. It is the delegate of a mandate.'),
      name: printable('Display name.'),
      version: printable('Version of the agent.'),
      model: printable('Language model that the agent uses.'),
      session_id: printable('Session of the agent.'),
    }),
    adapter: {
      description: 'The adapter that submits the proposal. It must be the adapter that signs the request.',
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
    },
    enforcement: adapterClass('Whether an agent can bypass the adapter: no (enforcing) or yes (advisory, the default).'),
    action: closed('The proposed action.', ['type', 'resource'], {
      type: {
        description: 'Type of the action: one to eight names separated by dots, such as `kubernetes.deployment.update`.',
        type: 'string',
        pattern: '^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*){0,7}$',
      },
      resource: { description: 'Address of the resource that the action targets.', type: 'string', minLength: 1, maxLength: 2048 },
      parameters: {
        description:
          'Any object that describes the action, such as `manifests` with Kubernetes objects. Only the size of the body limits its strings.',
        type: 'object',
      },
      cost: COST,
      reversible: { description: 'Whether the action is reversible.', type: 'boolean' },
      summary: text('The action in one sentence.', 2048),
    }),
    environment: { description: 'Where the action runs, such as `production`.', type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
    justification: text('Why the action is needed.', 2048),
    requested_at: instant('Time at which the proposal is evaluated. Default: the time of the request.'),
    context: {
      description: 'Origin of the proposal: identifiers of a run, a commit, a ticket, or a trace.',
      type: 'object',
      maxProperties: 64,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    parent_id: proposalId('The parent proposal of this proposal.'),
  },
);
