import type { Services } from '@bylaw/core/endpoint';
import { endpointRoute } from '@bylaw/core/endpoint/host';
import { createRouter, openApiDocument } from '@bylaw/core/http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { GATE_ENDPOINTS } from './endpoints.js';

const ROUTES = GATE_ENDPOINTS.map((endpoint) => endpointRoute(endpoint, {} as Services)); // none is needed for their description

describe('the endpoints of the gate', () => {
  it('are those of the specification and no others (gate/service.5) (gate/versioning.1)', () => {
    expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/proposals',
      'GET /v1/proposals/{id}',
      'POST /v1/proposals/{id}/result',
      'GET /v1/evidence',
      'GET /v1/evidence/by-ref/{ref}',
      'GET /v1/status',
    ]);
  });

  it('have a valid OpenAPI description, with the signature that they ask for', async () => {
    const router = createRouter();
    for (const route of ROUTES) router.add(route);
    const info = { title: 't', version: '1', description: 'd', license: 'Apache-2.0', tags: {} };
    const document = JSON.parse(JSON.stringify(openApiDocument(info, router.routes)));
    expect(await new Validator().validate(document)).toEqual({ valid: true });
    expect(document.components.securitySchemes.AdapterSignature).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-SVC-Signature' });
    const signed = Object.entries<{ [method: string]: { security: object[] } }>(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ security }) => [path, security.length]),
    );
    for (const [path, schemes] of signed) expect([path, schemes]).toEqual([path, 1]);
  });
});
