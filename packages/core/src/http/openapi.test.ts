import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.js';
import { json, type Route } from './route.js';

const info = { title: 't', version: '1', description: 'd', license: 'Apache-2.0', tags: {} };
const thing = {
  title: 'Thing',
  type: 'object',
  properties: { title: { type: 'string' }, part: { title: 'Part', type: 'string', enum: ['title'] } },
};
const route: Route = {
  method: 'GET',
  path: '/things',
  auth: 'open',
  id: 'things',
  tag: 'things',
  summary: 'Things.',
  responses: { 200: { description: 'All.', schema: { type: 'array', items: thing } } },
  handler: () => json(200, []),
};

describe('the OpenAPI document', () => {
  it('names titled schemas once and refers to them, at any depth', () => {
    const document = openApiDocument(info, [
      route,
      { ...route, path: '/thing', id: 'thing', responses: { 200: { description: 'One.', schema: thing } } },
    ]);
    expect(document).toMatchObject({
      paths: {
        '/things': {
          get: { responses: { 200: { content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/Thing' } } } } } } },
        },
        '/thing': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } } } },
      },
      components: {
        schemas: {
          Thing: { properties: { title: { type: 'string' }, part: { $ref: '#/components/schemas/Part' } } },
          Part: { title: 'Part', type: 'string', enum: ['title'] },
        },
      },
    });
  });

  it('names every credential that a route takes', () => {
    const token = { Token: { type: 'http', scheme: 'bearer' } };
    const keyed: Route = { ...route, auth: 'api-key', security: token, credentials: { check: () => undefined, hint: '' } };
    expect(openApiDocument(info, [keyed])).toMatchObject({
      paths: { '/things': { get: { security: [{ ApiKey: [] }, { Token: [] }] } } },
      components: { securitySchemes: token },
    });
  });

  it('refuses two schemas of one title', () => {
    const other = { ...route, path: '/other', responses: { 200: { description: 'Other.', schema: { title: 'Thing', type: 'string' } } } };
    expect(() => openApiDocument(info, [route, other])).toThrow('title Thing');
  });

  it('groups the problems of a route by status', () => {
    const problems = [{ slug: 'too-thin', status: 422, title: 'Too thin', code: 'AG-1' }];
    const document = openApiDocument(info, [{ ...route, problems }]);
    expect(JSON.stringify(document)).toContain('Query is not valid (`bad-query`). Too thin (`AG-1`).');
  });
});
