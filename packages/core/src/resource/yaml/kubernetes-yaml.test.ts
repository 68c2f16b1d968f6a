import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JsonValue, withoutNullMembers } from '../text/json.js';
import { parseDocuments } from './parse.js';

interface Row {
  yaml: string;
  json?: JsonValue;
  error?: string;
}

const table: { rows: Row[] } = JSON.parse(readFileSync(new URL('./data/kubernetes-yaml.json', import.meta.url), 'utf8'));

/** Texts that go-yaml refuses and we read, because they are valid YAML 1.2 or JSON and have one meaning only. */
const READ_ALL_THE_SAME: readonly string[] = [
  '{"a": "x\\/y", "b": [1, 2.50, -0, 1e2, true, null]}\n',
  'a: "a\\/b"\n',
  'a: "\\ud83d\\ude00"\n',
  '{"a"\n:1}\n',
  'a: \u0085b\n',
  'a: \u2028b\n',
  '%YAML 1.2\n---\na: yes\n',
];

/** Texts with the same key twice: go-yaml takes the last one in silence. */
const REFUSED: readonly string[] = ['{a: 1, a: 2}\n', 'a: 1\na: 2\n', '1: a\n"1": b\n', '1: a\n0x1: b\n', '&k a: 1\n*k : 2\n'];

function read(yaml: string): JsonValue {
  return parseDocuments({ file: 'a.yaml', index: 0, text: yaml, line: 1 })[0]?.value ?? null;
}

/** JSON knows one zero. */
function plainZero(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

describe('the meaning of YAML is what Kubernetes makes of it', () => {
  it.each(table.rows.filter((row) => row.json !== undefined && !REFUSED.includes(row.yaml)))('$yaml', ({ yaml, json }) => {
    expect(plainZero(read(yaml))).toEqual(withoutNullMembers(plainZero(json ?? null)));
  });

  it.each(table.rows.filter((row) => row.error !== undefined && !READ_ALL_THE_SAME.includes(row.yaml)))('refuses $yaml', ({ yaml }) => {
    expect(() => read(yaml)).toThrow();
  });

  it.each(REFUSED)('refuses the same key twice: %s', (yaml) => {
    expect(() => read(yaml)).toThrow(/occurs twice/);
  });

  it.each(READ_ALL_THE_SAME)('reads %s, which has one meaning only', (yaml) => {
    expect(read(yaml)).toBeDefined();
  });
});
