import { callEndpoint, filtersBody, inputBody, type QueryValue, type RemoteServer, remoteCall } from '@bylaw/core/command/remote';
import type { ComplianceMap } from '@bylaw/core/compliance';
import type { Comparison, EvaluationReport } from '@bylaw/core/evaluate';
import { eventsOf } from '@bylaw/core/report';
import type { Doors } from '../doors/doors.js';
import type { RuleDocument } from '../doors/rule-document.js';
import type { RuleList } from '../doors/rule-list.js';
import { getScoreHistory, getScoreTrend } from '../scores/endpoints.js';

/** What a local run prints is not limited, so the answer of a server is not either. */
const ALL = 0;

/** Has a server answer what `localDoors` answers here: the same values, hence the same output and exit code. */
export function remoteDoors(server: RemoteServer): Doors {
  const get = <T>(path: string, query: { readonly [name: string]: QueryValue } = {}) => remoteCall<T>(server, 'GET', path, { query });
  const post = <T>(path: string, body: object) => remoteCall<T>(server, 'POST', path, { body });
  return {
    listRules: ({ categories, severities, frameworks, search, limit, offset }) =>
      get<RuleList>('rules', {
        category: categories,
        severity: severities,
        framework: frameworks,
        search,
        limit,
        offset,
      }),
    getRule: (id) => remoteCall<RuleDocument>(server, 'GET', `rules/${encodeURIComponent(id)}`, { notFound: 'rule-unknown' }),
    compliance: (frameworks) => get<ComplianceMap>('compliance', { framework: frameworks }),
    evaluate: async function* (request) {
      const body = {
        ...(await inputBody(request)),
        ...filtersBody(request),
        ...(request.includePassed && { include_passed: true }),
        ...(request.failOnSkipped && { fail_on_skipped: true }),
        ...(request.includeCompliance && { include_compliance: true }),
        limit: ALL,
      };
      yield* eventsOf(await post<EvaluationReport>('evaluate', body));
    },
    validate: async (request) =>
      post<Comparison>('validate', {
        current: await inputBody(request.current),
        proposed: await inputBody(request.proposed),
        ...(request.place && { place: request.place }),
        ...filtersBody(request),
        limit: ALL,
      }),
    scoreHistory: (query) => callEndpoint(server, getScoreHistory, query, { notFound: 'project-unknown' }),
    scoreTrend: (query) => callEndpoint(server, getScoreTrend, query, { notFound: 'project-unknown' }),
  };
}
