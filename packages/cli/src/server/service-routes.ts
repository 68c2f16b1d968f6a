import { CORE_TAGS, json, openApiDocument, type Route, type Router } from '@bylaw/core/http';
import type { InstalledPlugin, Services } from '@bylaw/core/plugin';
import { HEALTH } from '@bylaw/core/schemas';

/** `GET /api/v1/health`: what is installed does not change while the server runs. */
export function healthRoute({ catalogue }: Services, plugins: readonly InstalledPlugin[], version: string): Route {
  const health = json(200, {
    status: 'ok',
    version,
    rules: catalogue.rules.length,
    categories: new Set(catalogue.rules.map((rule) => rule.category)).size,
    plugins: plugins.map((installed) => ({ name: installed.plugin.name, version: installed.version })),
  });
  return {
    method: 'GET',
    path: '/api/v1/health',
    auth: 'open',
    id: 'getHealth',
    tag: 'service',
    summary: 'Health check.',
    responses: { 200: { description: 'The server is running.', schema: HEALTH } },
    handler: () => health,
  };
}

/** `GET /openapi.json`: the description of every mounted route, its own included. It is made when it is first asked for. */
export function openApiRoute(router: Router, plugins: readonly InstalledPlugin[], version: string): Route {
  const tags = [CORE_TAGS, ...plugins.map(({ plugin }) => plugin.tags ?? {})].flatMap((own) => Object.entries(own));
  let document: object | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    auth: 'open',
    id: 'getOpenApi',
    tag: 'service',
    summary: 'This API description.',
    responses: { 200: { description: 'An OpenAPI 3.1 document.', schema: { type: 'object' } } },
    handler: () => {
      document ??= openApiDocument(
        {
          title: 'bylaw',
          version,
          description: 'Governance of infrastructure configuration: rules, and the findings that they report.',
          license: 'Apache-2.0',
          tags: Object.fromEntries(tags.filter(([tag]) => router.routes.some((route) => route.tag === tag))),
        },
        router.routes,
      );
      return json(200, document);
    },
  };
}
