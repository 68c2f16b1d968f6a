import { isLoopbackHostHeader } from './host.js';
import { problem } from './problems.js';
import { json, type Route } from './route.js';

/** Why a server cannot do its work at this moment, as everyone may know it: a stable code, and no detail beyond it. */
export interface NotReady {
  code: string;
  message: string;
}

export interface ProbeOptions {
  /** Asked at every request; empty when the server is ready. */
  reasons: () => readonly NotReady[];
  /** Answer under loopback names only, as all routes do in dev mode. */
  loopbackHostOnly: boolean;
}

/** `GET /healthz` and `GET /readyz`, for whoever starts and stops servers: they need no key, and answer under any name and in JSON. */
export function probeRoutes({ reasons, loopbackHostOnly }: ProbeOptions): Route[] {
  const probe = (route: Pick<Route, 'path' | 'id' | 'summary' | 'description' | 'responses' | 'handler'>): Route => ({
    ...route,
    method: 'GET',
    auth: 'own',
    tag: 'service',
    anyAccept: true,
    admit: ({ headers }) => {
      if (loopbackHostOnly && !isLoopbackHostHeader(headers.host))
        throw problem('host-not-allowed', {
          detail: 'In dev mode, the server accepts only requests to a loopback name, such as localhost or 127.0.0.1.',
        });
    },
  });
  return [
    probe({
      path: '/healthz',
      id: 'getHealthz',
      summary: 'Whether the process can serve requests.',
      description: 'Returns 200 even if the server is not ready, because a restart would not help.',
      responses: { 200: { description: 'The process can serve requests.', schema: statusSchema('ok') } },
      handler: () => json(200, { status: 'ok' }),
    }),
    {
      ...probe({
        path: '/readyz',
        id: 'getReadyz',
        summary: 'Whether the server is ready, and if not, why.',
        responses: { 200: { description: 'The server is ready.', schema: statusSchema('ready') } },
        handler: () => {
          const found = reasons();
          if (found.length === 0) return json(200, { status: 'ready' });
          throw problem('not-ready', { members: { reasons: found } });
        },
      }),
      problems: ['not-ready'],
    },
  ];
}

function statusSchema(status: string) {
  return { type: 'object', required: ['status'], properties: { status: { const: status } } };
}
