import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../resource/text/json.js';
import { applyEdit } from './apply-edit.js';

const pod: JsonObject = { spec: { containers: [{ name: 'a' }, { name: 'b', securityContext: { capabilities: { drop: ['NET_RAW'] } } }] } };

describe('an edit of an object', () => {
  it('sets, adds and removes below its base, in this order, and makes the mappings on the way', () => {
    const edit = {
      set: { '/securityContext/privileged': false, '/x': { deep: [1] } },
      add: { '/securityContext/capabilities/drop': ['ALL', 'NET_RAW'] },
      remove: ['/x/deep', '/name', '/nothing/at/all'],
    };
    expect(applyEdit(pod, '/spec/containers/1', edit)).toEqual({
      spec: { containers: [{ name: 'a' }, { securityContext: { capabilities: { drop: ['NET_RAW', 'ALL'] }, privileged: false }, x: {} }] },
    });
    expect(applyEdit(pod, '/spec/containers/0', { add: edit.add })).toMatchObject({
      spec: { containers: [{ name: 'a', securityContext: { capabilities: { drop: ['ALL', 'NET_RAW'] } } }, {}] },
    });
    expect(pod).toMatchObject({ spec: { containers: [{ name: 'a' }, { name: 'b' }] } });
  });

  it('merges a mapping into one that is there', () => {
    expect(applyEdit({ a: { b: 1, c: { d: 2 } } }, '', { set: { '/a': { c: { e: 3 }, f: [] } } })).toEqual({
      a: { b: 1, c: { d: 2, e: 3 }, f: [] },
    });
  });

  it('is the object itself where all is as it should be', () => {
    const object = { a: { b: [1] } };
    expect(applyEdit(object, '', { set: { '/a/b': [1] }, add: { '/a/b': [1] }, remove: ['/c'] })).toEqual(object);
  });

  it.each([
    ['a scalar where a mapping should be', { set: { '/a/b/c': 1 } }],
    ['a mapping where a scalar should be', { set: { '/a': 1 } }],
    ['another list', { set: { '/l': [2] } }],
    ['a list where a mapping should be', { set: { '/l/x': 1 } }],
    ['an item that is not there', { set: { '/l/7/x': 1 } }],
    ['a mapping where a list should be', { add: { '/a': ['x'] } }],
    ['an item of a list, which is not taken out', { remove: ['/l/0'] }],
    ['the object as a whole', { remove: [''] }],
  ])('is refused for %s', (_what, edit) => {
    expect(() => applyEdit({ a: { b: 1 }, l: [{ x: 1 }] }, '', edit)).toThrow('is not what the fix expects');
  });

  it('makes a member named __proto__ like any other', () => {
    const edited = applyEdit({}, '', { set: { '/__proto__/polluted': true } });
    expect(JSON.stringify(edited)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
  });
});
