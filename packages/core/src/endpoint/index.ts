/** What callers can ask the program: each endpoint is one object, from which every way of asking is made. */
export { answerHere, answerOnThread } from './answer-endpoint.js';
export {
  compiledModule,
  defineEndpoint,
  type Endpoint,
  type EndpointProblem,
  type EndpointTool,
  type InputSchema,
} from './endpoint.js';
export { endpointRoute } from './endpoint-route.js';
export { type CallableTool, endpointTool } from './endpoint-tool.js';
export type { ConfigFileSource, Services } from './services.js';
