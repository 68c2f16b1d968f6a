import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { parseDocuments } from '../../resource/yaml/parse.js';
import type { RuleEdit } from '../../rule/index.js';
import { applyEdit } from '../apply-edit.js';
import { changesBetween } from '../change.js';
import { editText } from './edit-text.js';
import { anyObject, writeYaml } from './yaml-text.test-support.js';

function valueIn(text: string): JsonValue | undefined {
  return parseDocuments({ file: 'x.yaml', index: 0, text, line: 1 })[0]?.value;
}

/** The text after an edit, or why it cannot have it. */
function edited(text: string, edit: RuleEdit): string {
  const before = valueIn(text) as JsonObject; // each of these texts is a mapping
  const after = applyEdit(before, '', edit);
  const result = editText(text, changesBetween(before, after));
  if ('blocked' in result) return `refused: ${result.blocked[0]?.reason}`;
  expect(valueIn(result.text)).toEqual(after);
  return result.text;
}

/** A copy with new members, other scalars and new items anywhere, and, where wished, with members less. */
function mutate(value: JsonValue, choices: readonly number[], removing: boolean, from = { next: 0 }): JsonValue {
  const choose = (count: number) => (choices[from.next++ % choices.length] ?? 0) % count;
  const some = () => FRESH[choose(FRESH.length)] ?? null;
  if (Array.isArray(value)) {
    const items = value.map((item) => mutate(item, choices, removing, from));
    return choose(3) === 0 ? [...items, some()] : items;
  }
  if (typeof value !== 'object' || value === null) return removing && choose(4) === 0 ? 'changed' : value;
  const members = Object.entries(value)
    .filter(() => !removing || choose(7) !== 0)
    .map(([key, member]) => [key, mutate(member, choices, removing, from)] as const);
  const more = choose(3) === 0 ? [['new', some()] as const] : [];
  return Object.fromEntries([...members, ...more, ...(choose(4) === 0 ? [['0777', some()] as const] : [])]);
}

const FRESH: readonly JsonValue[] = [
  true,
  'ALL',
  'yes',
  { type: 'RuntimeDefault' },
  { drop: ['ALL'], add: [] },
  [{ name: 'x', deep: { a: 1 } }],
  'a: b',
  {},
];

const COMMENTS = /# c\d+(?=\r?\n|$)/g;

const numbers = fc.array(fc.nat({ max: 60 }), { minLength: 5, maxLength: 60 });

describe('changing the text of a document', () => {
  it('gives exactly the value that is wanted, however the document is written', () => {
    fc.assert(
      fc.property(anyObject, numbers, numbers, (object, style, choices) => {
        const text = writeYaml(object, style);
        const after = mutate(object, choices, true);
        const result = editText(text, changesBetween(object, after));
        if ('text' in result) expect(valueIn(result.text)).toEqual(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it('puts in what is new, and leaves every other character and comment where it was', () => {
    fc.assert(
      fc.property(anyObject, numbers, numbers, (object, style, choices) => {
        const text = writeYaml(object, style);
        const result = editText(text, changesBetween(object, mutate(object, choices, false)));
        const after = 'text' in result ? result.text : '';
        // Braces that were empty may be gone.
        expect(isWithin(text.replaceAll(' {}', ''), after)).toBe(true);
        expect(after.match(COMMENTS)).toEqual(text.match(COMMENTS));
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing where nothing is to be changed', () => {
    const text = 'a:   1 # x\r\n\r\n\r\nb: [ 1,2 ]';
    expect(editText(text, [])).toEqual({ text });
  });
});

describe('a mapping on lines of its own', () => {
  it('takes new members at its end, above the comments that follow it, indented as the document is', () => {
    const text = lines(
      'spec:',
      '    containers:',
      '    - name: a',
      '      image: x # why',
      '      # resources: {}',
      '    # more',
      'status: {}',
    );
    expect(edited(text, { add: { '/spec/containers/0/securityContext/capabilities/drop': ['ALL'] } })).toBe(
      lines(
        ...['spec:', '    containers:', '    - name: a', '      image: x # why'],
        ...['      securityContext:', '          capabilities:', '              drop:', '              - ALL'],
        ...['      # resources: {}', '    # more', 'status: {}'],
      ),
    );
  });

  it('takes them behind a text of several lines, and puts lists as far in as the others', () => {
    const text = lines('a:', '  - x', 'b: |', '  one', '   two', '', '', '# end');
    expect(edited(text, { set: { '/c': [{ d: 1, e: [2] }, {}, 'f'] } })).toBe(
      lines('a:', '  - x', 'b: |', '  one', '   two', 'c:', '  - d: 1', '    e:', '      - 2', '  - {}', '  - f', '', '', '# end'),
    );
  });

  it('keeps the line breaks of the document, and a last line without one', () => {
    expect(edited('a: 1\r\nb:\r\n  c: 2', { set: { '/b/d': 3, '/e': 4 } })).toBe('a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\ne: 4');
  });

  it('gets a value where its key has none, and where it is empty or null', () => {
    const text = lines('a: # none', '  # yet', 'b: {} # too', 'c: ~', 'd: null # x', 'e:');
    expect(edited(text, { set: { '/a/x': true, '/b/x': true, '/c/x': true, '/d': 'on', '/e': 1 } })).toBe(
      lines('a: # none', '  x: true', '  # yet', 'b: # too', '  x: true', 'c:', '  x: true', 'd: "on" # x', 'e: 1'),
    );
  });

  it('loses a member with its line, moves the next one up behind a dash, and is empty after the last', () => {
    const text = lines('a:', '  b: 1 # x', '  # stays', 'c:', '- d: 1', '  e: 2', '- f:', '    g: 3', 'h: 4');
    expect(edited(text, { remove: ['/a/b', '/c/0/d', '/c/1/f/g', '/h', '/nothing'] })).toBe(
      lines('a: {}', '  # stays', 'c:', '- e: 2', '- f: {}'),
    );
  });

  it('gets other scalars in the place of the old ones, quoted as they were', () => {
    const text = lines("a: 'x' # c", 'b:   "y"', 'c: z', 'd: &t true', 'e: !!str 1');
    expect(edited(text, { set: { '/a': "it's", '/b': 'n', '/c': 'no', '/d': false, '/e': '2' } })).toBe(
      lines("a: 'it''s' # c", 'b:   "n"', 'c: "no"', 'd: &t false', 'e: !!str "2"'),
    );
  });
});

describe('values in brackets', () => {
  it('get new parts written as the others are', () => {
    const text = lines('a: { b: 1 }', 'c: {d: 1}', 'e: [f,g]', 'h: ["i", "j" ] # k', "l: ['m']", 'k: []', 'o: {p: {}}');
    expect(
      edited(text, { set: { '/a/x': true, '/c/x': { z: 1 }, '/o/p/q': 1 }, add: { '/e': ['x'], '/h': ['x'], '/l': ['x'], '/k': ['x'] } }),
    ).toBe(
      lines(
        'a: { b: 1, x: true }',
        'c: {d: 1, x: {z: 1}}',
        'e: [f,g,x]',
        'h: ["i", "j", "x" ] # k',
        "l: ['m', 'x']",
        'k: [x]',
        'o: {p: { q: 1 }}',
      ),
    );
  });

  it('get them on lines of their own where the others have one, past comments and a comma at the end', () => {
    const text = lines('a: [', '  b, # c', '  d # e', ']', 'f: {', '  g: 1, # h', '}');
    expect(edited(text, { add: { '/a': ['x', 'z'] }, set: { '/f/x': true } })).toBe(
      lines('a: [', '  b, # c', '  d, # e', '  x,', '  z', ']', 'f: {', '  g: 1, # h', '  x: true,', '}'),
    );
  });

  it('lose parts with one comma', () => {
    const text = lines('a: { b: 1, c: 2, d: 3 }', 'e: {f: 1}', 'g: {h: 1, i: 2,}');
    expect(edited(text, { remove: ['/a/b', '/a/d', '/e/f', '/g/i'] })).toBe(lines('a: { c: 2 }', 'e: {}', 'g: {h: 1,}'));
  });

  it('stay JSON in a JSON document, pretty or not', () => {
    const edit = { set: { '/spec/a/b': true, '/kind': 'Job' }, add: { '/spec/list': ['x'] } };
    expect(edited('{"kind":"Pod","spec":{}}', edit)).toBe('{"kind":"Job","spec":{"a":{"b":true},"list":["x"]}}');
    const pretty = (value: JsonObject) => `${JSON.stringify(value, null, '\t')}\n`;
    for (const list of [[], ['y']])
      expect(edited(pretty({ kind: 'Pod', spec: { list } }), edit)).toBe(
        pretty({ kind: 'Job', spec: { list: [...list, 'x'], a: { b: true } } }),
      );
    expect(edited(pretty({ kind: 'Pod', spec: {} }), edit)).toBe(pretty({ kind: 'Job', spec: { a: { b: true }, list: ['x'] } }));
  });
});

describe('text that several places share', () => {
  const text = lines('a: &x', '  b: 1', 'c: *x', 'd:', '  <<: *x', '  e: 1');

  it('is changed where all of them want the same', () => {
    const shared = lines('a: &x', '  b: 1', 'c: [*x, *x]');
    expect(edited(shared, { set: { '/a/m': true, '/c/0/m': true, '/c/1/m': true } })).toBe(
      lines('a: &x', '  b: 1', '  m: true', 'c: [*x, *x]'),
    );
  });

  it('is not changed for some of them', () => {
    for (const pointer of ['/a/n', '/c/n', '/a/b', '/c/b'])
      expect(edited(text, { set: { [pointer]: 2 } })).toMatch(/^refused: an alias in its YAML uses the same text in other places/);
    expect(edited(lines('a: &x true', 'b: *x'), { set: { '/a': false } })).toMatch(
      /^refused: an alias in its YAML uses the same text in other places/,
    );
  });

  it('is left behind where a member or an alias of its own can be changed', () => {
    expect(edited(text, { set: { '/d/b': 2 } })).toBe(`${text}  b: 2\n`);
    expect(edited(lines('a: &x true', 'b: *x'), { set: { '/b': false } })).toBe(lines('a: &x true', 'b: false'));
  });
});

describe('what cannot be changed piece by piece', () => {
  it.each([
    ['a: |\n  long\n', { set: { '/a': 'short' } }, 'the current value spans several lines'],
    ['a: &x\n', { set: { '/a/b': 1 } }, 'the current value is not what the fix expects'],
    ['l:\n- d: 1 # why\n  # and\n  e: 2\n', { remove: ['/l/0/d'] }, 'the member cannot be removed on its own'],
    ['{a: 1, # why\n b: 2}\n', { remove: ['/a'] }, 'there is a comment next to the member'],
    ['? a\n', { set: { '/a/b': 1 } }, 'the current text is not what the fix expects'],
  ])('%j is refused %j with the reason', (text, edit, reason) => {
    expect(edited(text, edit)).toContain(`refused: ${reason}`);
  });
});

function lines(...all: string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

/** Whether the characters of a text are in another one, in the same order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const char of part) {
    at = whole.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
