import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServices, testServices } from './services.test-support.js';
import { type StartedServer, startServer } from './start-server.js';

let fixture: TestServices;
let server: StartedServer;

beforeAll(async () => {
  fixture = await testServices('api: {keys: [{id: ci, sha256: "0000000000000000000000000000000000000000000000000000000000000000"}]}');
  server = await startServer({ services: fixture.services, plugins: [], version: '1.2.3', port: 0, threads: 1 });
});

afterAll(async () => {
  await server.close();
  await fixture.remove();
});

const get = (path: string) => fetch(`${server.url}${path}`);

describe('the page /docs', () => {
  it('needs no key, and gets everything from this server', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    const used = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(used).toEqual(['/docs/swagger-ui.css', '/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/start.js']);
    for (const path of used) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('may run scripts of this server and talk to it, and nothing else', async () => {
    for (const path of ['/docs', '/docs/start.js']) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]),
      );
      expect(policy).not.toMatch(/unsafe-eval|https?:/);
    }
  });

  it('starts the renderer that is shipped, on the description of this server', async () => {
    const renderer = await (await get('/docs/swagger-ui-bundle.js')).text();
    const started: object[] = [];
    // As a browser runs both: the renderer defines a global function, which the other file calls.
    expect(renderer).toContain('SwaggerUIBundle');
    new Function('SwaggerUIBundle', await (await get('/docs/start.js')).text())((options: object) => started.push(options));
    expect(started).toMatchObject([{ url: '/openapi.json', validatorUrl: null }]);
  });

  it('is a part of the description, and its files are not', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => path.startsWith('/docs'))).toEqual(['/docs']);
  });
});
