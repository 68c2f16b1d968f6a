import { describe, expect, it } from 'vitest';
import { readObject } from './read-object.js';
import { forCel } from './yaml/cel-form.js';

const source = { file: 'manifests/0', document: 0 };

describe('reading an object that is already parsed', () => {
  it('gives what the same text gives, without places', () => {
    const given = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: null },
      spec: { containers: [{ name: 'c', image: null }] },
    };
    const [pod] = readObject(given, source).resources;
    expect(pod).toMatchObject({
      name: 'a',
      source: { ...source, line: 0 },
      object: { metadata: { name: 'a' }, spec: { containers: [{ name: 'c' }] } },
    });
    expect(pod?.object.metadata).toEqual({ name: 'a' });
    expect(pod?.position('/spec')).toEqual({ line: 0, column: 0 });
  });

  it('neither changes nor keeps what it was given', () => {
    const given = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 3 }, spec: { hostNetwork: null } };
    const before = structuredClone(given);
    const [pod] = readObject(given, source).resources;
    expect(given).toEqual(before);
    expect(pod?.object.spec).not.toBe(given.spec);
  });

  it('unwraps lists, and reports wrong types', () => {
    const list = { apiVersion: 'v1', kind: 'PodList', items: [{ metadata: { name: 'a' }, spec: 'x' }] };
    const { resources, errors } = readObject(list, source);
    expect(resources).toMatchObject([{ apiVersion: 'v1', kind: 'Pod', name: 'a' }]);
    expect(errors).toMatchObject([{ code: 'malformed', location: { file: 'manifests/0', line: 0 } }]);
  });

  it('refuses what is not an object, too deep or too large', () => {
    const codes = (value: unknown) => readObject(value, source).errors.map(({ code }) => code);
    for (const value of ['x', 3, true, [1], {}, { apiVersion: 'v1' }]) expect(codes(value)).toEqual(['not-a-resource']);
    expect(readObject(null, source)).toEqual({ resources: [], errors: [], skipped: [] });
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(codes({ apiVersion: 'v1', kind: 'X', deep })).toEqual(['document-too-deep']);
    expect(codes({ apiVersion: 'v1', kind: 'X', many: Array(1_000_000).fill(0) })).toEqual(['too-many-nodes']);
  });

  it('keeps __proto__ as data', () => {
    const [resource] = readObject(JSON.parse('{"apiVersion": "v1", "kind": "X", "__proto__": {"polluted": 1}}'), source).resources;
    expect(Object.keys(resource?.object ?? {})).toContain('__proto__');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('values for CEL', () => {
  it('are the values themselves, as long as no key is named constructor', () => {
    const [resource] = readObject({ apiVersion: 'v1', kind: 'X', a: [{ b: 1 }] }, source).resources;
    expect(forCel(resource?.object)).toBe(resource?.object);
    expect([forCel(1), forCel('x'), forCel(null), forCel(undefined)]).toEqual([1, 'x', null, undefined]);
  });

  it('are copies with a Map for each mapping that has such a key, and the same copy each time', () => {
    const [resource] = readObject({ apiVersion: 'v1', kind: 'X', a: [{ b: { constructor: 'x', c: 1 } }], d: { e: 1 } }, source).resources;
    const copy = forCel(resource?.object);
    expect(copy).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      a: [
        {
          b: new Map<string, unknown>([
            ['constructor', 'x'],
            ['c', 1],
          ]),
        },
      ],
      d: { e: 1 },
    });
    expect(forCel(resource?.object)).toBe(copy);
    expect(forCel(resource?.object.d)).toBe(resource?.object.d);
    expect(forCel(resource?.object.a)).toEqual([{ b: expect.any(Map) }]);
  });
});
