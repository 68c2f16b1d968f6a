import { readFile } from 'node:fs/promises';
import type { HttpResponse, Route } from '@bylaw/core/http';

/** Where the build puts the files of the renderer; the compiled file is beside them. */
const FILES = new URL('../../dist/docs-page/', import.meta.url);

/** Everything comes from this server; the renderer sets styles of its own. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The bylaw API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The description of the API is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** No other service is asked: `validatorUrl` would send the description to one. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** `GET /docs`: the description of the API as a page for people, and the files that it needs. */
export function docsRoutes(): Route[] {
  return [
    {
      ...file('/docs', 'getDocs', 'text/html; charset=utf-8', async () => PAGE),
      summary: 'This API description, as a page.',
      responses: { 200: { description: 'The page.', mediaType: 'text/html', schema: { type: 'string' } } },
      hidden: false,
    },
    file('/docs/start.js', 'getDocsStart', JAVASCRIPT, async () => START),
    file('/docs/swagger-ui-bundle.js', 'getDocsRenderer', JAVASCRIPT, () => shipped('swagger-ui-bundle.js')),
    file('/docs/swagger-ui.css', 'getDocsStyle', 'text/css; charset=utf-8', () => shipped('swagger-ui.css')),
  ];
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

function shipped(name: string): Promise<Uint8Array> {
  return readFile(new URL(name, FILES));
}

function file(path: string, id: string, mediaType: string, read: () => Promise<HttpResponse['body']>): Route {
  let body: ReturnType<typeof read> | undefined;
  return {
    method: 'GET',
    path,
    auth: 'open',
    id,
    tag: 'service',
    summary: 'A file of the page /docs.',
    hidden: true,
    anyAccept: true,
    responses: { 200: { description: 'The file.', mediaType, schema: { type: 'string' } } },
    handler: async () => {
      body ??= read();
      return { status: 200, mediaType, policy: POLICY, body: await body };
    },
  };
}
