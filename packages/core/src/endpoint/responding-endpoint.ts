import type { HttpRequest, HttpResponse, Route } from '../http/index.js';
import type { Services } from './services.js';

/** How callers of an endpoint prove who they are, where it is not by an API key. */
export interface Authentication extends Pick<Route, 'security' | 'codes' | 'problems'>, Required<Pick<Route, 'anyAccept'>> {
  /** Who may call, and how they prove it: one sentence, for the reference. */
  summary: string;
  /** Headers that it reads. */
  headers?: NonNullable<Route['headers']>;
  /** What the server does with each request; called when the server is built. */
  guard(services: Services): Pick<Route, 'auth' | 'credentials' | 'admit' | 'verify' | 'observe'>;
}

/** An endpoint that speaks HTTP itself, because its callers have an authentication of their own, or its answers more than one status or form. */
export interface RespondingEndpoint
  extends Pick<
    Route,
    | 'id'
    | 'method'
    | 'path'
    | 'tag'
    | 'summary'
    | 'description'
    | 'params'
    | 'query'
    | 'requiredQuery'
    | 'body'
    | 'maxBodyBytes'
    | 'responses'
    | 'problems'
    | 'examples'
  > {
  auth: Authentication;
  respond(request: HttpRequest, services: Services): Promise<HttpResponse>;
}
