import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { type Extraction, readDocument } from './read-document.js';
import { type JsonValue, withoutNullMembers } from './text/json.js';
import { parseDocuments } from './yaml/parse.js';
import type { FileUse } from './yaml/source-document.js';

function read(text: string, options: { explicit?: boolean; file?: string; line?: number } = {}): Extraction {
  const { file = 'a.yaml', line = 1, explicit } = options;
  return readDocument({ file, index: 0, text, line }, explicit === undefined ? {} : { explicit });
}

/** `code line:column message` of the only error. */
function error(text: string, options: Parameters<typeof read>[1] = {}): string {
  const { errors } = read(text, options);
  expect(errors).toHaveLength(1);
  return errors.map(({ code, message, location }) => `${code} ${location?.line}:${location?.column} ${message}`).join();
}

const DEPLOYMENT = `# A comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  creationTimestamp: null
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: app
          image: "app:1"
        -   name: other
            args: [a, "b c"]
            image: "other:1"
`;

describe('reading a Kubernetes object', () => {
  it('gives its identity, its values and where it was read', () => {
    const { resources, errors, skipped } = readDocument({ file: 'k8s/web.yaml', index: 3, text: DEPLOYMENT, line: 10 });
    expect([errors, skipped]).toEqual([[], []]);
    expect(resources).toMatchObject([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        source: { file: 'k8s/web.yaml', document: 3, line: 11, column: 1 },
      },
    ]);
    expect(resources[0]?.object.metadata).toEqual({ name: 'web', namespace: 'shop' });
  });

  it('takes generateName for a name, and no name for the empty one', () => {
    expect(read('apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n').resources[0]).toMatchObject({ name: 'a-' });
    expect(read('apiVersion: v1\nkind: Pod\n').resources[0]).toMatchObject({ name: '' });
    expect(read('apiVersion: v1\nkind: Pod\n').resources[0]).not.toHaveProperty('namespace');
  });

  it('finds the place of every value: the key of an entry, the first character of an item', () => {
    const [resource] = read(DEPLOYMENT).resources;
    const place = (pointer: string) => Object.values(resource?.position(pointer) ?? {}).join(':');
    expect(place('')).toBe('2:1');
    expect(place('/spec/replicas')).toBe('9:3');
    expect(place('/spec/template/spec/containers')).toBe('12:7');
    expect(place('/spec/template/spec/containers/0')).toBe('13:11');
    expect(place('/spec/template/spec/containers/0/image')).toBe('14:11');
    expect(place('/spec/template/spec/containers/1')).toBe('15:13');
    expect(place('/spec/template/spec/containers/1/args/1')).toBe('16:23');
  });

  it('finds the place of the deepest existing ancestor of what is absent', () => {
    const [resource] = read(DEPLOYMENT).resources;
    expect(resource?.position('/spec/template/spec/containers/0/securityContext/privileged')).toEqual({ line: 13, column: 11 });
    expect(resource?.position('/spec/template/spec/containers/7/image')).toEqual({ line: 12, column: 7 });
    expect(resource?.position('/nothing/at/all')).toEqual({ line: 2, column: 1 });
    expect(resource?.position('no pointer')).toEqual({ line: 2, column: 1 });
  });

  it('finds places through anchors, aliases and merge keys, at the text that holds the value', () => {
    const text = `apiVersion: v1
kind: ConfigMap
x: &base
  b: 1
  c: {d: 1}
p: *base
q:
  <<: [{e: 1}, *base]
  f: 1
`;
    const [resource] = read(text).resources;
    expect(resource?.object.q).toEqual({ e: 1, b: 1, c: { d: 1 }, f: 1 });
    const place = (pointer: string) => Object.values(resource?.position(pointer) ?? {}).join(':');
    expect([place('/p'), place('/p/b'), place('/p/c/d')]).toEqual(['6:1', '4:3', '5:7']);
    expect([place('/q/e'), place('/q/c/d'), place('/q/f'), place('/q/none')]).toEqual(['8:9', '5:7', '9:3', '7:1']);
  });

  it('counts lines that end in CR LF, and columns after a byte order mark', () => {
    const [resource] = read('apiVersion: v1\r\nkind: Pod\r\nmetadata:\r\n  name: a\r\n').resources;
    expect(resource?.name).toBe('a');
    expect(resource?.position('/metadata/name')).toEqual({ line: 4, column: 3 });
  });

  it('reads brackets and quotes whose lines are indented less than YAML allows, and knows their true places', () => {
    const [resource] = read('apiVersion: v1\nkind: Pod\nspec:\n  x: [\n    a,\n  b\n  ]\n  z: "c\n d"\n').resources;
    expect(resource?.object.spec).toEqual({ x: ['a', 'b'], z: 'c d' });
    expect(resource?.position('/spec/x/1')).toEqual({ line: 6, column: 3 });
    expect(resource?.position('/spec/z')).toEqual({ line: 8, column: 3 });
    expect(error('apiVersion: v1\nkind: Pod\nspec:\n  x: [\n  a\n  ]\n  z: 1\n  z: 2\n')).toMatch(/^duplicate-key 8:3 /);
  });

  it('reads JSON, with places', () => {
    const text = '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {"name": "a\\/\\u00e9\\ud83d\\ude00"}\n}\n';
    const [resource] = read(text, { file: 'a.json' }).resources;
    expect(resource?.name).toBe('a/é😀');
    expect(resource?.position('/metadata/name')).toEqual({ line: 4, column: 15 });
  });

  it('drops members that are null at every depth, and keeps items that are', () => {
    expect(read('apiVersion: v1\nkind: X\na: ~\nb: {c: null, d: [~, {e: ~}]}\nf:\n').resources[0]?.object).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      b: { d: [null, {}] },
    });
  });

  it('keeps __proto__ and constructor as plain data', () => {
    const [resource] = read('apiVersion: v1\nkind: X\n__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n').resources;
    expect(Object.keys(resource?.object ?? {})).toEqual(['apiVersion', 'kind', '__proto__', 'constructor']);
    expect(Object.getPrototypeOf(resource?.object)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
    const merged = read('apiVersion: v1\nkind: X\nx: &x {__proto__: {polluted: 1}}\np: {<<: *x}\nq: *x\n').resources[0]?.object;
    expect([merged?.x, merged?.p, merged?.q].map((value) => Object.keys(value ?? {}))).toEqual([
      ['__proto__'],
      ['__proto__'],
      ['__proto__'],
    ]);
  });
});

describe('reading lists of objects', () => {
  it('unwraps a List, a typed list and a List in a List, with the places of the items', () => {
    const text = `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Secret
    metadata: {name: a}
  -
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleList
    items:
      - metadata: {name: b}
      - kind: Role
        metadata: {name: c}
`;
    const { resources, errors } = read(text);
    expect(errors).toEqual([]);
    expect(resources.map(({ apiVersion, kind, name, source }) => [apiVersion, kind, name, source.line, source.column])).toEqual([
      ['v1', 'Secret', 'a', 4, 5],
      ['rbac.authorization.k8s.io/v1', 'Role', 'b', 11, 9],
      ['rbac.authorization.k8s.io/v1', 'Role', 'c', 12, 9],
    ]);
    expect(resources[0]?.position('/metadata/name')).toEqual({ line: 6, column: 16 });
    expect(resources[1]?.object).toMatchObject({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' });
  });

  it('reads the objects of a top-level list', () => {
    const { resources, errors } = read('[{"apiVersion": "v1", "kind": "A"}, {"apiVersion": "v1", "kind": "B"}, {"x": 1}]');
    expect(resources.map(({ kind, source }) => [kind, source.column])).toEqual([
      ['A', 2],
      ['B', 37],
    ]);
    expect(errors).toMatchObject([{ code: 'not-a-resource', location: { line: 1, column: 72 } }]);
  });

  it('finds nothing in an empty list, and reports items that are not objects', () => {
    expect(read('apiVersion: v1\nkind: List\nitems: []\n')).toEqual({ resources: [], errors: [], skipped: [] });
    expect(read('apiVersion: v1\nkind: List\n')).toEqual({ resources: [], errors: [], skipped: [] });
    expect(error('apiVersion: v1\nkind: List\nitems:\n  - just text\n')).toMatch(/^not-a-resource 4:5 /);
    expect(error('apiVersion: v1\nkind: List\nitems: x\n')).toMatch(/^malformed 3:1 /);
  });

  it('knows a custom resource that is only named like a list', () => {
    expect(read('apiVersion: example.com/v1\nkind: AllowList\nspec: {items: []}\n').resources).toMatchObject([{ kind: 'AllowList' }]);
  });
});

describe('documents that are not Kubernetes objects', () => {
  it('are an error in a file that was named', () => {
    expect(error('name: web\nservices: {}\n')).toMatch(/^not-a-resource 1:1 The document has no apiVersion and no kind/);
    expect(error('kind: Pod\n')).toMatch(/has no apiVersion/);
    expect(error('apiVersion: 1\nkind: Pod\n')).toMatch(
      /The apiVersion of the document is not a non-empty string, so it is not a Kubernetes object/,
    );
    expect(error('just text\n')).toMatch(/^not-a-resource 1:1 The document is a single string/);
    expect(error('- a\n- b\n')).toMatch(/^not-a-resource 1:1 The document is a list/);
  });

  it('are counted, and nothing more, in a file that was found in a directory', () => {
    expect(read('name: web\nservices: {}\n', { explicit: false })).toEqual({ resources: [], errors: [], skipped: ['unknown'] });
    expect(read('// comments\n{"compilerOptions": {}}', { explicit: false, file: 'tsconfig.json' }).errors).toHaveLength(1);
    expect(read('{\n  // comment\n  "compilerOptions": {}\n}', { explicit: false, file: 'tsconfig.json' })).toMatchObject({
      errors: [],
      skipped: ['unknown'],
    });
  });

  it('are nothing at all when they are empty', () => {
    expect(read('---\n# nothing\n')).toEqual({ resources: [], errors: [], skipped: [] });
    expect(read('null\n')).toEqual({ resources: [], errors: [], skipped: [] });
  });
});

describe('a kustomization', () => {
  it('needs neither apiVersion nor kind', () => {
    for (const text of [
      'resources: [a.yaml]\n',
      'kind: Kustomization\nresources: [a.yaml]\n',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nresources: [a.yaml]\n',
    ]) {
      expect(read(text, { file: 'app/kustomization.yaml', explicit: false }).resources).toMatchObject([
        { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', object: { resources: ['a.yaml'] } },
      ]);
    }
    expect(read('kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n', { file: 'kustomization.yml' }).resources).toMatchObject([
      { kind: 'Component' },
    ]);
    expect(read('resources: [a.yaml]\n', { file: 'other.yaml', explicit: false }).resources).toEqual([]);
  });

  it('knows its places', () => {
    const [resource] = read('resources:\n  - a.yaml\n', { file: 'kustomization.yaml' }).resources;
    expect(resource?.position('/resources/0')).toEqual({ line: 2, column: 5 });
  });
});

describe('documents that cannot be read', () => {
  it('name both lines of a duplicate key', () => {
    expect(error('apiVersion: v1\nkind: Pod\nspec:\n  a: 1\n  b: {c: 1}\n  a: 2\n', { line: 10 })).toBe(
      'duplicate-key 15:3 The key "a" occurs on line 13 and again on line 15 of the same mapping. Keep one of them.',
    );
    expect(error('{"a": 1, "a": 2}')).toBe('duplicate-key 1:10 The key "a" occurs twice on line 1 of the same mapping. Keep one of them.');
    expect(error('x: {1: a, 0x1: b}\n')).toMatch(/^duplicate-key 1:11 The key "1"/);
    expect(error(`${'k'.repeat(100)}: 1\n${'k'.repeat(100)}: 2\n`)).toContain('k…"');
  });

  it('say that a tab cannot indent, and where it is', () => {
    expect(error('apiVersion: v1\nkind: Pod\nspec:\n\thostNetwork: true\n')).toMatch(
      /^yaml-syntax 4:1 .*a tab cannot indent a line. Replace the tabs at the start of the line with spaces.$/,
    );
    expect(error('apiVersion: v1\nspec:\n  a: 1\n  \tb: 2\n')).toMatch(/^yaml-syntax 4:3 .*a tab/);
  });

  it('tell a template from a manifest', () => {
    const mend = /helm template <chart> \| bylaw evaluate -/;
    for (const [text, place] of [
      ['apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n', '4:9'],
      ['{{- if .Values.enabled }}\napiVersion: v1\nkind: Pod\n{{- end }}\n', '1:1'],
      ['apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    {{- include "x" . | nindent 4 }}\n', '5:5'],
      ['apiVersion: v1\nitems:\n{{ range .Values.x }}\n  - {{ . }}\n{{ end }}\n', '3:1'],
    ]) {
      expect(error(text ?? '')).toMatch(new RegExp(`^template-not-rendered ${place} `));
      expect(error(text ?? '')).toMatch(mend);
    }
    expect(read('apiVersion: v1\nkind: X\na: "{{ inputs.parameters.x }}"\n').errors).toEqual([]);
  });

  it('say what is wrong with JSON, with line and column', () => {
    expect(error('{"apiVersion": "v1",\n "kind": "Pod"\n "x": 1}')).toMatch(/^json-syntax 3:2 This is not valid JSON: /);
    expect(error('{"apiVersion": "v1"')).toMatch(/^json-syntax 1:20 .* Close the bracket/);
    expect(error('[{"a": "b}]')).toMatch(/^json-syntax 1:12 .* Close the quote/);
  });

  it.each([
    ['metadata:\n  name: @STS@\n', '2:9', '@'],
    ['a:\n  - @x\n', '2:5', '@'],
    ['a: [b, @x]\n', '1:8', '@'],
    ['a: {b: @x}\n', '1:8', '@'],
    ['@x: 1\n', '1:1', '@'],
    ['a: `date`\n', '1:4', '`'],
    ['a: %h\n', '1:4', '%'],
  ])('say that a value cannot start with this character, and what to do: %j', (text, place, character) => {
    expect(error(text)).toBe(
      `yaml-syntax ${place} This is not valid YAML: a value cannot start with ${character}. Put it in quotes; if it is a placeholder, render the template first.`,
    );
  });

  it('do not blame a character that is not the start of a value', () => {
    expect(error('a: "x" @y\n')).toContain('bad indentation of a mapping entry');
    expect(read('apiVersion: v1\nkind: X\na: x@y\nb: "@x"\nc: 100%\n').errors).toEqual([]);
  });

  it.each([
    ['a: b: c\n', 'bad indentation of a mapping entry. Indent it like the entries around it, and quote a value that contains ": ".'],
    ['- a: 1\n - b\n', 'bad indentation of a sequence entry. Align the dashes of the list.'],
    ['a: b\nc\n', 'a multiline key may not be an implicit key. Write "key: value", and indent the other lines of a multi-line value.'],
    ['a: "x\n', 'unexpected end of the stream within a double quoted scalar. Close the quote.'],
    ['a: [b,,c]\n', "expected the node content, but found ','. Put exactly one comma between two items."],
    ['a: "\\q"\n', 'unknown escape sequence. Double the backslash, or use single quotes.'],
    ['a: "\\x1"\n', 'expected hexadecimal character. Write two hexadecimal digits after \\x, four after \\u, or use single quotes.'],
    ['a: |x\n', 'a line break is expected. Start the text on the line after | or >.'],
    ['a: *\n', 'name of an alias node must contain at least one character. Quote a value that starts with * or &.'],
    ['a: !<x\n', 'unexpected end of the stream within a verbatim tag. Quote a value that starts with an exclamation mark.'],
    ['- a\nb: c\n', 'Indent it like the lines around it; if a new document starts here, put a line "---" before it.'],
    ['%FOO\na\n', 'directives end mark is expected. Remove the lines at the top that start with %.'],
  ])('say how to fix it: %j', (text, message) => {
    expect(error(text)).toContain(message);
  });

  it('say what is wrong with YAML, with line and column', () => {
    expect(error('a: b: c\n')).toMatch(/^yaml-syntax 1:5 This is not valid YAML: bad indentation of a mapping entry. Indent/);
    expect(error('a:\n  - b\n - c\n')).toMatch(/^yaml-syntax 3:2 /);
    expect(error('a: *nothing\n')).toMatch(/^yaml-syntax 1:4 The alias \*nothing refers to an anchor that is not defined before it/);
    expect(error('a: &x [*x]\n')).toMatch(/^yaml-syntax 1:8 The alias \*x is inside the value that it refers to/);
    expect(error('a: .inf\n')).toMatch(/^yaml-syntax 1:4 The value .inf cannot be written in JSON/);
    expect(error('? [a]\n: b\n')).toMatch(/^yaml-syntax 1:3 A key is a list or a mapping/);
    expect(error('a: {<<: 1}\n')).toMatch(/^yaml-syntax 1:9 The value of the merge key/);
    expect(error('a: !!int x\n')).toMatch(/^yaml-syntax 1:10 This value is not a valid !!int/);
  });

  it('refuse to nest deeper than 100 levels, however deep, and do not overflow the stack', () => {
    const deep = 100_000;
    expect(error('['.repeat(deep) + ']'.repeat(deep))).toMatch(/^document-too-deep 1:\d+ .*100 levels/);
    expect(error(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)).toMatch(/^document-too-deep/);
    expect(error('- '.repeat(deep))).toMatch(/^document-too-deep/);
    expect(error(Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''))).toMatch(/^document-too-deep/);
    expect(error('? '.repeat(deep))).toMatch(/^document-too-deep/);
  });

  it('hold the limit on depth exactly', () => {
    const nested = (depth: number) => `apiVersion: v1\nkind: X\nx: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}\n`;
    expect(read(nested(100)).errors).toEqual([]);
    expect(error(nested(101))).toMatch(/^document-too-deep 3:103 /);
    const aliased = `x: &x ${'['.repeat(60)}${']'.repeat(60)}\ny: ${'['.repeat(60)}*x${']'.repeat(60)}\n`;
    expect(error(aliased)).toMatch(/^document-too-deep 2:64 /);
  });

  it('refuse an alias bomb, at once', () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\n${'bcdefghij'
      .split('')
      .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghij'[i]}`).join(', ')}]\n`)
      .join('')}`;
    expect(error(bomb)).toMatch(/^too-many-nodes \d+:\d+ The document expands to more than 1,000,000 values/);
    const merges = `a: &a {${Array.from({ length: 1_000 }, (_, i) => `k${i}: 1`).join(', ')}}\nb:\n${'  - <<: *a\n'.repeat(2_000)}`;
    expect(error(merges)).toMatch(/^too-many-nodes/);
  });

  it('refuse a flat text of too many values before it takes memory for them', () => {
    expect(error(`[${'0,'.repeat(3_000_000)}0]`)).toMatch(/^too-many-nodes 1:1 /);
    expect(error('- \n'.repeat(2_500_000))).toMatch(/^too-many-nodes 1:1 /);
  });

  it('are not padded without end', () => {
    const far = `${' '.repeat(100_000)}a: [\n${'1,\n'.repeat(1_000)}]\n`;
    expect(error(far)).toMatch(/^yaml-syntax 2:1 .*Indent the lines inside brackets/);
  });

  it('lose nothing that was read before', () => {
    const { resources, errors } = read('apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n');
    expect(resources.map(({ kind }) => kind)).toEqual(['A', 'B']);
    expect(errors).toEqual([]);
  });

  it('never throw, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...[
        'apiVersion: v1\n',
        'kind: Pod\n',
        'spec:',
        '\n',
        '  ',
        '\t',
        '- ',
        '? ',
        ': ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '"',
        "'",
        '|\n',
        '>-\n',
        '&a ',
        '*a',
        '<<: ',
      ],
      ...[
        '!!int ',
        '!x ',
        '# bylaw:ignore CS-001 x\n',
        '{{ x }}',
        '---\n',
        '...\n',
        '%YAML 1.2\n',
        '\u0000',
        '\ufeff',
        '\r',
        '~',
        '0x',
        'é',
        '__proto__: ',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const { errors } = read(parts.join(''));
        for (const { message, location } of errors) {
          expect(message).not.toMatch(/undefined|\[object|Error:/);
          expect(location?.line).toBeGreaterThan(0);
          expect(location?.column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('any JSON value', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '<<', 'yes', '1', '~', 'a b', '- a', 'a: b', '{{x}}'));
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.string({ unit: 'binary' }), fc.string(), key),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 5 }),
      // Null members are dropped at once, so that none is taken for a duplicate key.
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }).map((object) => ({ ...object })),
    ),
  })).value;

  function roundTrip(text: string): JsonValue {
    return parseDocuments({ file: 'a', index: 0, text, line: 1 })[0]?.value ?? null;
  }

  it('reads back equal from JSON, after its null members are dropped', () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json);
        expect(roundTrip(text)).toEqual(withoutNullMembers(JSON.parse(text)));
        expect(roundTrip(JSON.stringify(json, null, 2))).toEqual(withoutNullMembers(JSON.parse(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads back equal from YAML, after its null members are dropped', () => {
    fc.assert(
      fc.property(value, (json) => {
        expect(roundTrip(dump(json))).toEqual(withoutNullMembers(JSON.parse(JSON.stringify(json))));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a file that a kustomization uses', () => {
  const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: i }] }\n';
  const workload = (spec: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec: ${spec}\n`;
  const read = (text: string, use: FileUse) => {
    const { resources, errors, skipped } = readDocument({ file: 'a.yaml', index: 0, text, line: 1, use }, { explicit: false });
    return { kinds: resources.map(({ kind }) => kind), errors, skipped };
  };
  const whole = { errors: [], skipped: [] };
  const part = { kinds: [], errors: [], skipped: ['patch'] };

  it.each([
    ['a Pod', POD, { kinds: ['Pod'], ...whole }],
    [
      'a list of objects',
      `apiVersion: v1\nkind: List\nitems:\n  - ${JSON.stringify({ apiVersion: 'v1', kind: 'Secret' })}\n`,
      { kinds: ['Secret'], ...whole },
    ],
    ['a ConfigMap', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n', { kinds: ['ConfigMap'], ...whole }],
    ['a container without an image', POD.replace(', image: i', ''), part],
    ['a workload without a Pod', workload('{ replicas: 2 }'), part],
    ['a workload without a selector', workload('{ template: { spec: { containers: [{ name: a, image: i }] } } }'), part],
    ['a directive', POD.replace('metadata:', '$patch: delete\nmetadata:'), part],
    ['an object of a kind of others', 'apiVersion: argoproj.io/v1alpha1\nkind: Application\n', part],
    ['JSON Patch', '- { op: remove, path: /spec }\n', part],
  ])('as a patch is evaluated if it is whole: %s', (_, text, expected) => {
    expect(read(text, 'patch')).toEqual(expected);
  });

  it.each([
    ['an object', POD, { kinds: ['Pod'], ...whole }],
    ['settings', 'a: 1\n', { kinds: [], ...whole }],
    ['text', 'a: {{ b }}\n\tc', { kinds: [], ...whole }],
  ])('as data is evaluated if it is an object: %s', (_, text, expected) => {
    expect(read(text, 'data')).toEqual(expected);
  });
});
