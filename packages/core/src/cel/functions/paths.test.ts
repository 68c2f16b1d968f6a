import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPath, paths } from './paths.js';

const isUnder = paths.find(({ signature }) => signature.startsWith('isUnder'))?.call as unknown as (
  path: unknown,
  prefixes: unknown,
) => boolean;

describe('cleaning a path', () => {
  it.each([
    ['', ''],
    ['/', '/'],
    ['//', '/'],
    ['/.', '/'],
    ['/./', '/'],
    ['/etc/', '/etc'],
    ['/etc//ssh/./', '/etc/ssh'],
    ['/etc/../root', '/root'],
    ['/../../etc', '/etc'],
    ['/var/run', '/run'],
    ['/var/run/docker.sock', '/run/docker.sock'],
    ['/var/runtime', '/var/runtime'],
    ['/var//run/', '/run'],
    ['/var/log/../run/x', '/run/x'],
    ['data/../x', 'x'],
    ['../x', '../x'],
    ['.', ''],
  ])('%s becomes %s', (text, cleaned) => {
    expect(cleanPath(text)).toBe(cleaned);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '.', '..', 'var', 'run', 'a') }), (text) => {
        expect(cleanPath(cleanPath(text))).toBe(cleanPath(text));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('lying under a path', () => {
  it.each([
    ['/etc', '/etc', true],
    ['/etc/ssh', '/etc', true],
    ['/etcd', '/etc', false],
    ['/', '/', true],
    ['/x', '/', true],
    ['/', '/etc', false],
    ['/etc/../root', '/etc', false],
    ['/var/run/docker.sock', '/run', true],
    ['/run/docker.sock', '/var/run', true],
    ['/var/lib/rancher/k3s/server/tls', '/var/lib/rancher/*/server', true],
    ['/var/lib/rancher/server', '/var/lib/rancher/*/server', false],
    ['/a/b', ['/x', '/a'], true],
    ['/a/b', ['/x', '/y'], false],
    ['/a/b', [], false],
    ['', '/', false],
    ['', '', false],
    ['/a', '', false],
    [undefined, '/a', false],
    ['/a', [1, null], false],
  ])('%j under %j: %s', (path, prefix, expected) => {
    expect(isUnder(path, prefix)).toBe(expected);
  });
});
