// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders look like this
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../../create.js';
import { parseImage } from './images.js';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the parts of an image reference', () => {
  it.each([
    [
      'nginx',
      {
        host: '',
        registry: 'docker.io',
        repository: 'nginx',
        name: 'nginx',
        tag: '',
        digest: '',
        pinned: false,
        canonical: 'docker.io/library/nginx',
      },
    ],
    ['nginx:1.27', { repository: 'nginx', tag: '1.27' }],
    ['library/nginx', { host: '', repository: 'library/nginx', name: 'nginx', canonical: 'docker.io/library/nginx' }],
    ['bitnami/redis:7', { host: '', repository: 'bitnami/redis', canonical: 'docker.io/bitnami/redis' }],
    ['docker.io/nginx', { host: 'docker.io', repository: 'nginx', canonical: 'docker.io/library/nginx' }],
    ['index.docker.io/a/b', { host: 'index.docker.io', registry: 'docker.io', canonical: 'docker.io/a/b' }],
    ['registry-1.docker.io/nginx', { host: 'registry-1.docker.io', registry: 'docker.io', canonical: 'docker.io/library/nginx' }],
    ['registry.hub.docker.com/library/nginx', { registry: 'docker.io', canonical: 'docker.io/library/nginx' }],
    ['Registry.Hub.Docker.com/a/b', { host: 'Registry.Hub.Docker.com', registry: 'docker.io', canonical: 'docker.io/a/b' }],
    ['hub.docker.com/a/b', { registry: 'hub.docker.com', canonical: 'hub.docker.com/a/b' }],
    [
      'ghcr.io/org/app:v1',
      { host: 'ghcr.io', registry: 'ghcr.io', repository: 'org/app', name: 'app', tag: 'v1', canonical: 'ghcr.io/org/app' },
    ],
    ['localhost/app', { host: 'localhost', repository: 'app' }],
    ['registry:5000/app', { host: 'registry:5000', repository: 'app', tag: '' }],
    ['registry:5000/team/app:v1', { host: 'registry:5000', repository: 'team/app', tag: 'v1' }],
    ['registry:5000', { host: '', repository: 'registry', tag: '5000' }],
    [`app@${DIGEST}`, { repository: 'app', tag: '', digest: DIGEST, pinned: true }],
    [`r.example/app:v1@${DIGEST}`, { host: 'r.example', repository: 'app', tag: 'v1', digest: DIGEST, pinned: true }],
    [`app@sha512:${'0123456789abcdef'.repeat(8)}`, { pinned: true }],
    ['app@sha256', { digest: 'sha256', pinned: false }],
    ['app:1@sha256:0123', { tag: '1', digest: 'sha256:0123', pinned: false }],
    [`app@sha256:${'0'.repeat(65)}`, { pinned: false }],
    [`app@sha256:${'g'.repeat(64)}`, { pinned: false }],
    [`app@sha256:${'A'.repeat(64)}`, { pinned: false }],
    [`app@sha512:${'0'.repeat(64)}`, { pinned: false }],
    [`app@md5:${'0'.repeat(64)}`, { pinned: false }],
    ['app@1.2.3', { tag: '', digest: '1.2.3', pinned: false }],
    ['app@sha256:${DIGEST}', { pinned: true }],
    ['app@sha256:{{ .Values.digest }}', { pinned: true }],
    ['app@sha256:$DIGEST', { pinned: true }],
    ['${REGISTRY}/app:1', { host: '${REGISTRY}', repository: 'app', tag: '1' }],
    ['$(registry)/team/app', { host: '$(registry)', repository: 'team/app' }],
    ['app@${DIGEST}', { digest: '${DIGEST}', pinned: true }],
    ['app@', { digest: '', pinned: false }],
    ['', { host: '', repository: '', name: '', tag: '', digest: '', pinned: false }],
  ])('%s', (reference, parts) => {
    expect(parseImage(reference)).toMatchObject(parts);
  });

  it('can be put together again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '.', ':', '/', '@', '-', 'localhost') }), (reference) => {
        const { host, repository, tag, digest } = parseImage(reference);
        const rebuilt = [host === '' ? repository : `${host}/${repository}`, tag && `:${tag}`, digest && `@${digest}`].join('');
        // Only an empty tag or digest leaves its mark out.
        expect(rebuilt.replace(/[:@]/g, '')).toBe(reference.replace(/[:@]/g, ''));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('an image that can be evaluated', () => {
  const program = createEvaluator().compile('namesImage(c)', { variables: ['c'], maxNodes: 100, maxNesting: 1 });

  it.each([
    ['nginx', true],
    ['ghcr.io/acme/app:${VERSION}', true],
    ['', false],
    [' ', false],
    ['${IMAGE}', false],
    ['{{ image }}', false],
    ['<your-image>', false],
    ['auto', false],
    ['ko://example.com/acme/cmd/manager', false],
    [7, false],
  ])('%j: %s', (image, expected) => {
    expect(program.evaluate({ c: { image } })).toBe(expected);
  });

  it.each([[{}], ['nginx'], [null]])('is none for %j', (container) => {
    expect(program.evaluate({ c: container })).toBe(false);
  });
});
