/** What callers can ask the program: each endpoint is one object, from which every way of asking is made. Loading this starts nothing; see `host.ts`. */
export type { RunContext, ThreadKind } from '../operation/index.js';
export { EVALUATIONS } from '../operation/thread-kind.js';
export {
  type AnyEndpoint,
  compiledModule,
  defineEndpoint,
  type Endpoint,
  type EndpointExample,
  type EndpointProblem,
  type EndpointThread,
  type EndpointTool,
  type InputSchema,
  type SetupSource,
  sayHint,
} from './endpoint.js';
export type { Authentication, RespondingEndpoint } from './responding-endpoint.js';
export type { ConfigFileSource, Services } from './services.js';
