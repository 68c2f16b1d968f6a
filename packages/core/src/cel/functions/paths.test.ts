import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';
import { cleanPath } from './paths.js';

const isUnder = relation('isUnder');
const isAbove = relation('isAbove');

/** A function of paths is total: it takes any values. */
function relation(name: string): (path: unknown, paths: unknown) => unknown {
  const program = createEvaluator().compile(`${name}(path, paths)`, { variables: ['path', 'paths'], maxNodes: 100, maxNesting: 1 });
  return (path, others) => program.evaluate({ path, paths: others });
}

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
    ['/a/b', ['/x', ['/y', '/a']], true],
    ['/a/b', ['/x', '/y'], false],
    ['/a/b', [], false],
    ['', '/', false],
    ['', '', false],
    ['/a', '', false],
    [7, '/a', false],
    ['/a', [1, null], false],
  ])('%j under %j: %s', (path, prefix, expected) => {
    expect(isUnder(path, prefix)).toBe(expected);
  });
});

describe('lying above a path', () => {
  it.each([
    ['/etc', '/etc/ssh', true],
    ['/var/', '/var/lib/etcd', true],
    ['/var/run', '/run/k3s/containerd', true],
    ['/etc', '/etc', false],
    ['/etc/ssh', '/etc', false],
    ['/etc', '/etcd/data', false],
    ['/', '/etc', false],
    ['/var', '/var/run/docker.sock', false],
    ['/var/lib/rancher', '/var/lib/rancher/*/server', true],
    ['/var/lib/rancher/k3s', '/var/lib/rancher/*/server', true],
    ['/var/lib/rancher/k3s/agent', '/var/lib/rancher/*/server', false],
    ['/var/lib/*', '/var/lib/etcd/member', false],
    ['/a', ['/x', ['/a/b']], true],
    ['/a', [], false],
    ['', '/a', false],
    [7, '/a', false],
    ['/a', [1, null], false],
  ])('%j above %j: %s', (path, listed, expected) => {
    expect(isAbove(path, listed)).toBe(expected);
  });

  it('and lying under it are the only ways for a directory and a path to meet', () => {
    const path = fc.array(fc.constantFrom('etc', 'var', 'lib'), { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(isAbove(one, other)).toBe(one !== other && isUnder(other, one));
      }),
      { numRuns: 1_000 },
    );
  });
});
