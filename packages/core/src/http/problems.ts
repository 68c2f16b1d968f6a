/**
 * Every problem that the shared HTTP layer can answer, in one table. `docs/reference/problems.md` and the OpenAPI document
 * are generated from it. The key is the last segment of `type` and, unless a plugin says otherwise, the member `code`.
 *
 * Form: RFC 9457, "Problem Details for HTTP APIs", https://www.rfc-editor.org/rfc/rfc9457
 */
export const PROBLEMS = {
  'bad-http': { status: 400, title: 'Request is not valid HTTP' },
  'bad-target': { status: 400, title: 'Request target is not allowed' },
  'invalid-json': { status: 400, title: 'Body is not valid JSON' },
  unauthenticated: { status: 401, title: 'API key is missing or not valid' },
  'host-not-allowed': { status: 403, title: 'Host is not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'project-unknown': { status: 404, title: 'No such project in the history of scores' },
  'method-not-allowed': { status: 405, title: 'Method is not allowed' },
  'not-acceptable': { status: 406, title: 'No acceptable representation' },
  'request-timeout': { status: 408, title: 'Request took too long to arrive' },
  'too-large': { status: 413, title: 'Body is too large' },
  'target-too-long': { status: 414, title: 'Request target is too long' },
  'evaluation-memory': { status: 413, title: 'Evaluation needs too much memory' },
  'media-type': { status: 415, title: 'Media type is not supported' },
  'expectation-failed': { status: 417, title: 'Expectation cannot be met' },
  schema: { status: 422, title: 'Request does not match the schema' },
  'bad-query': { status: 422, title: 'Query is not valid' },
  'category-unknown': { status: 422, title: 'No such rule category' },
  'severity-unknown': { status: 422, title: 'No such severity' },
  'rule-unknown': { status: 422, title: 'No installed rule has this identifier' },
  'framework-unknown': { status: 422, title: 'No installed rule maps to this framework' },
  'nothing-evaluated': { status: 422, title: 'Input has nothing to evaluate' },
  'no-rules-selected': { status: 422, title: 'No rule is installed for the request' },
  'headers-too-large': { status: 431, title: 'Header fields are too large' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Server is busy' },
  'evaluation-timeout': { status: 503, title: 'Evaluation took too long' },
  'not-ready': { status: 503, title: 'Not ready' },
  'scores-unavailable': { status: 503, title: 'History of scores is not available' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What kind of problem it is. Plugins bring their own kinds; `code` is the slug where it is absent. */
export interface ProblemKind {
  /** Last segment of `type`. Absent: the problem is no more than its status, `type` is about:blank, and there is no code. */
  slug?: string;
  status: number;
  title: string;
  code?: string;
}

/** One thing that is wrong with a request: a JSON Pointer made only of names of our schemas, `*` for a name of the caller's. */
export interface ProblemError {
  path: string;
  message: string;
}

export interface ProblemOptions {
  /** What to do about it, in our own words. Never a piece of the request. */
  detail?: string;
  errors?: readonly ProblemError[];
  headers?: { readonly [name: string]: string };
  /** Further members of the document, as some kinds define them. */
  members?: { readonly [name: string]: unknown };
}

/** Known in every copy of this package: a plugin that was installed on its own brings one. */
const BRAND = Symbol.for('bylaw.http-problem');

/** Thrown anywhere below a route to answer with a problem document. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly [BRAND] = true;

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(
    readonly kind: ProblemKind,
    readonly options: ProblemOptions = {},
  ) {
    super(kind.title);
  }
}

/** A kind of the shared table, with the code that a route has for it. */
export function sharedKind(slug: ProblemCode, codes: { readonly [problem in ProblemCode]?: string } = {}): ProblemKind {
  const code = codes[slug];
  return { slug, ...PROBLEMS[slug], ...(code !== undefined && { code }) };
}

/** A problem of the shared table. */
export function problem(code: ProblemCode, options: ProblemOptions = {}): HttpProblem {
  return new HttpProblem({ slug: code, ...PROBLEMS[code] }, options);
}

/** The answer for every path without a route: it gives no detail, so that nothing can be learnt from it. RFC 9457, section 4.2.1. */
export function notRoutable(): HttpProblem {
  return new HttpProblem({ status: 404, title: 'Not Found' });
}

export function codeOf({ code, slug }: ProblemKind): string | undefined {
  return code ?? slug;
}

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  code?: string;
  detail?: string;
  errors?: readonly ProblemError[];
  instance: string;
  [member: string]: unknown;
}

/**
 * The document of a problem.
 * @param problemsUrl address under which the kinds are described, without a slash at its end
 * @param requestId UUID of the request
 */
export function problemDocument({ kind, options }: HttpProblem, problemsUrl: string, requestId: string): ProblemDocument {
  const code = codeOf(kind);
  return {
    type: kind.slug === undefined ? 'about:blank' : `${problemsUrl}/${kind.slug}`,
    title: kind.title,
    status: kind.status,
    ...(code !== undefined && { code }),
    ...(options.detail !== undefined && { detail: options.detail }),
    ...(options.errors && { errors: options.errors }),
    ...options.members,
    instance: `urn:uuid:${requestId}`,
  };
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
