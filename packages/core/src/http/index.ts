/** The HTTP floor: routes, problem documents, API keys, limits and the life of the server. What the routes do is not known here. */

export { type RequestBreach, type RequestCheck, requestCheck } from '../request-check.js';
export { type ApiKey, apiKeyCheck, apiKeyDigest } from './api-keys.js';
export { CORE_TAGS } from './core-tags.js';
export { isLoopbackHost, isLoopbackHostHeader } from './host.js';
export { parseJsonBody } from './json-body.js';
export { preferredType } from './negotiate.js';
export { type OpenApiInfo, openApiDocument, PROBLEM_SCHEMA } from './openapi.js';
export { type NotReady, type ProbeOptions, probeRoutes } from './probes.js';
export {
  codeOf,
  HttpProblem,
  notRoutable,
  PROBLEM_MEDIA_TYPE,
  PROBLEMS,
  type ProblemCode,
  type ProblemDocument,
  type ProblemError,
  type ProblemKind,
  type ProblemOptions,
  problem,
  problemDocument,
} from './problems.js';
export {
  type Credentials,
  type HttpRequest,
  type HttpResponse,
  type JsonSchema,
  json,
  METHODS,
  type Method,
  type QueryValue,
  type RequestHead,
  type Route,
  type RouteResponse,
} from './route.js';
export { createRouter, type RouteMatch, type Router } from './router.js';
export { DEFAULT_LIMITS, type HttpLimits, type HttpServerOptions, type RunningServer, type ServerTls, serveHttp } from './server/serve.js';
