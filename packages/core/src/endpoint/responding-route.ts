import type { Route } from '../http/index.js';
import type { RespondingEndpoint } from './responding-endpoint.js';
import type { Services } from './services.js';

/** The route of an endpoint that speaks HTTP itself. */
export function respondingRoute({ auth, respond, ...described }: RespondingEndpoint, services: Services): Route {
  const { summary: _, guard, problems = [], ...shared } = auth;
  return {
    ...described,
    ...shared,
    ...guard(services),
    problems: [...(described.problems ?? []), ...problems],
    handler: (request) => respond(request, services),
  };
}
