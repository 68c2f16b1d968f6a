import { describe, expect, it } from 'vitest';
import { readDocument } from '../read-document.js';
import { readObject } from '../read-object.js';

const HEAD = 'apiVersion: v1\nkind: ConfigMap\n';

function places(text: string, pointer: string, lines: readonly number[], file = 'a.yaml') {
  const { resources } = readDocument({ file, index: 0, text, line: 1 });
  const resource = resources.at(-1);
  return lines.map((line) => Object.values(resource?.position(pointer, line) ?? {}).join(':'));
}

describe('the place of a line of a text', () => {
  it('is the line of the file in a literal block, at its first character', () => {
    const text = `${HEAD}data:\n  app.yaml: |\n    mode: fast\n\n      user: shop\n    password: x\n  z: 1\n`;
    expect(places(text, '/data/app.yaml', [1, 2, 3, 4])).toEqual(['5:5', '6:1', '7:7', '8:5']);
  });

  it.each([
    ['with chomping, an indentation and a comment', '|2- # settings', '5:5'],
    ['with an anchor and a tag', '&a !!str |', '5:5'],
  ])('is found below a header %s', (_what, header, place) => {
    expect(places(`${HEAD}data:\n  a: ${header}\n    one\n    two\n`, '/data/a', [1])).toEqual([place]);
  });

  it('counts the empty lines that a literal block starts with', () => {
    expect(places(`${HEAD}data:\n  a: |\n\n\n    x\n`, '/data/a', [3])).toEqual(['7:5']);
  });

  it('counts lines that end in CR LF', () => {
    expect(places(`${HEAD}data:\n  a: |\n    x\n    y\n`.replaceAll('\n', '\r\n'), '/data/a', [2])).toEqual(['6:5']);
  });

  it('is found in an item of a list, of a List, and in a later document', () => {
    const item =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec:\n    args:\n    - a\n    - |\n      x\n      y\n';
    expect(places(item, '/spec/args/1', [2])).toEqual(['11:7']);
    const { resources } = readDocument({ file: 'a.yaml', index: 1, text: `${HEAD}data:\n  a: |\n    x\n    y\n`, line: 101 });
    expect(resources[0]?.position('/data/a', 2)).toEqual({ line: 106, column: 5 });
  });

  it('is the line of the file in a folded block until lines are folded, then the start of the block', () => {
    expect(places(`${HEAD}data:\n  a: >\n    one\n    two\n\n    three\n`, '/data/a', [1, 2])).toEqual(['5:5', '5:5']);
    expect(places(`${HEAD}data:\n  a: >-\n    one\n`, '/data/a', [1])).toEqual(['5:5']);
    expect(places(`${HEAD}data:\n  a: >\n    x:\n      y: 1\n      z: 2\n    folded\n    on\n`, '/data/a', [1, 2, 3, 5])).toEqual([
      '5:5',
      '6:7',
      '7:7',
      '5:5',
    ]);
  });

  it.each([
    ['plain', 'x y'],
    ['quoted', '"x\\ny"'],
    ['quoted over several lines', "'x\n\n    y'"],
  ])('is the start of the value where the text is %s', (_what, value) => {
    expect(places(`${HEAD}data:\n  a: ${value}\n`, '/data/a', [1, 2])).toEqual(['4:6', '4:6']);
  });

  it('is the start of the value in JSON', () => {
    const text = '{\n"apiVersion": "v1", "kind": "ConfigMap",\n"data": {"a": "x\\ny"}}';
    expect(places(text, '/data/a', [2], 'a.json')).toEqual(['3:15']);
  });

  it('is the alias where the text is one', () => {
    expect(places(`${HEAD}data:\n  a: &x |\n    1\n    2\n  b: *x\n`, '/data/b', [2])).toEqual(['7:6']);
  });

  it('is the start of the text for a line that the text does not have', () => {
    expect(places(`${HEAD}data:\n  a: |\n    x\n`, '/data/a', [0, -1, 9])).toEqual(['5:5', '5:5', '5:5']);
  });

  it('is the place of the deepest ancestor if there is no text', () => {
    const text = `${HEAD}data:\n  a: |\n    x\n  b:\n  c: {d: 1}\n`;
    expect(places(text, '/data/none', [1])).toEqual(['3:1']);
    expect(places(text, '/data/a/deeper', [1])).toEqual(['4:3']);
    expect(places(text, '/data/b', [1])).toEqual(['6:3']);
    expect(places(text, '/data/c', [1])).toEqual(['7:3']);
  });

  it('is the start of the file in a rendered text, and nowhere for an object without one', () => {
    const document = { file: 'chart/a.yaml', index: 0, text: `${HEAD}data:\n  a: |\n    x\n`, line: 1, rendered: 'chart' };
    expect(readDocument(document).resources[0]?.position('/data/a', 1)).toEqual({ line: 1, column: 1 });
    const [resource] = readObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'x' } }, { file: '', document: 0 }).resources;
    expect(resource?.position('/data/a', 1)).toEqual({ line: 0, column: 0 });
  });
});
