import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../log.js';
import { requestCheck } from '../../request-check.js';
import { parseJsonBody } from '../json-body.js';
import { json, type Route } from '../route.js';
import { createRouter } from '../router.js';
import { exchange } from './raw-http.test-support.js';
import { type RunningServer, serveHttp } from './serve.js';

const CANARY = 'c4nary7f3a';

const described = {
  auth: 'open',
  tag: 'test',
  summary: 'A route of this test.',
  responses: { 200: { description: 'Fine.', schema: {} } },
} as const;
const check = requestCheck({
  type: 'object',
  additionalProperties: false,
  properties: {
    word: { enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 1 },
    deep: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string', pattern: '^x$' } } },
    either: {
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'array', items: { const: 1 } },
      ],
    },
  },
});
const routes: Route[] = [
  {
    ...described,
    method: 'POST',
    path: '/v/{name}',
    id: 'post',
    body: {},
    handler: ({ body }) => {
      parseJsonBody(body, check);
      return json(200, {});
    },
  },
  {
    ...described,
    method: 'GET',
    path: '/v/{name}',
    id: 'get',
    query: { q: { enum: ['x'] }, n: { type: 'integer' } },
    handler: () => json(200, {}),
  },
];

let server: RunningServer;

beforeAll(async () => {
  const router = createRouter();
  for (const route of routes) router.add(route);
  server = await serveHttp({
    router,
    host: '127.0.0.1',
    port: 0,
    log: createLog({ level: 'silent' }),
    problemsUrl: 'https://p.test',
    keys: [],
  });
});

afterAll(() => server.close());

const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'BREW', CANARY), fc.string());
const piece = fc.oneof(fc.constantFrom('/v/', CANARY, '?q=', '&n=', '?', '/', '..', '%00', '%2e', '#', ' '), fc.string());
const target = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('')}`);
const value = fc.jsonValue({ depthSize: 'medium' });
const body = fc.oneof(
  fc.string(),
  value.map((any) => JSON.stringify(any)),
  fc
    .record(
      {
        word: fc.constant(CANARY),
        count: value,
        deep: fc.dictionary(fc.constant(CANARY), fc.dictionary(fc.constant(CANARY), value)),
        either: value,
        [CANARY]: value,
      },
      { requiredKeys: [] },
    )
    .map((any) => JSON.stringify(any)),
);
const headerText = fc.string().map((text) => text.replaceAll(/[^ -~]/g, ''));

describe('arbitrary requests', () => {
  it('never get a 5xx, and never get anything of theirs back', async () => {
    await fc.assert(
      fc.asyncProperty(method, target, body, headerText, fc.boolean(), async (verb, path, content, header, whole) => {
        const length = Buffer.byteLength(content);
        const request = `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nX-${CANARY}: ${CANARY}${header}\r\nContent-Length: ${whole ? length : length + 5}\r\n\r\n${content}${whole ? '' : CANARY.slice(0, 5)}`;
        const answer = await exchange(server.url, request);
        expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
        expect(answer.toLowerCase()).not.toContain(CANARY);
      }),
      { numRuns: 1000 },
    );
  });
});
