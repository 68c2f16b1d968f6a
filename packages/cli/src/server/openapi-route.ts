import { CORE_TAGS, json, openApiDocument, type Route, type Router } from '@bylaw/core/http';
import type { InstalledPlugin } from '@bylaw/core/plugin';

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
