import { readFileSync } from 'node:fs';
import { getConformanceSuite, type IncrementalTest, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from './create.js';
import { sameValue } from './standard/equality.js';

/** `section/name` of every test of the specification that does not hold here, in groups with one reason each. */
interface Exclusions {
  /** Sections that are not run at all. */
  sections: { reason: string; names: string[] }[];
  tests: { reason: string; names: string[] }[];
}

const exclusions = JSON.parse(readFileSync(new URL('conformance.json', import.meta.url), 'utf8')) as Exclusions;
const skippedSections = new Set(exclusions.sections.flatMap(({ names }) => names));
const excluded = new Set(exclusions.tests.flatMap(({ names }) => names));
const cases = sectionsOf(getConformanceSuite());

describe('the CEL specification', () => {
  for (const [section, tests] of cases) {
    if (skippedSections.has(section) || skippedSections.has(section.split('/')[0] ?? '')) continue;
    it(`${section} holds but for the listed exclusions`, () => {
      const failing = tests.filter(([, test]) => !holds(test)).map(([name]) => name);
      expect(failing).toEqual(tests.map(([name]) => name).filter((name) => excluded.has(name)));
    });
  }

  it('lists no exclusion that is not a test of the specification, and none without a reason', () => {
    const names = new Set(cases.flatMap(([, tests]) => tests.map(([name]) => name)));
    const sections = new Set(cases.flatMap(([section]) => [section, section.split('/')[0] ?? '']));
    expect([...excluded].filter((name) => !names.has(name))).toEqual([]);
    expect([...skippedSections].filter((name) => !sections.has(name))).toEqual([]);
    expect([...exclusions.sections, ...exclusions.tests].filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

/** The tests of each section, `file/section`, under names that are unique. */
function sectionsOf(suite: IncrementalTestSuite, path: string[] = []): [string, [string, IncrementalTest][]][] {
  const section = path.join('/');
  const seen = new Map<string, number>();
  const tests = suite.tests.map((test): [string, IncrementalTest] => {
    const count = (seen.get(test.name) ?? 0) + 1;
    seen.set(test.name, count);
    return [`${section}/${test.name}${count === 1 ? '' : `#${count}`}`, test];
  });
  const own: [string, [string, IncrementalTest][]][] = tests.length === 0 ? [] : [[section, tests]];
  return [...own, ...suite.suites.flatMap((child) => sectionsOf(child, [...path, child.name]))];
}

function holds({ original }: IncrementalTest): boolean {
  const { resultMatcher } = original;
  const outcome = evaluate(original);
  switch (resultMatcher.case) {
    case 'evalError':
    case 'anyEvalErrors':
      return 'error' in outcome;
    case 'value':
      return 'value' in outcome && matches(outcome.value, resultMatcher.value);
    case 'typedResult':
      return 'value' in outcome && (resultMatcher.value.result === undefined || matches(outcome.value, resultMatcher.value.result));
    default:
      return 'value' in outcome && outcome.value === true;
  }
}

function evaluate(test: IncrementalTest['original']): { value: unknown } | { error: unknown } {
  try {
    const scope = Object.fromEntries(Object.entries(test.bindings).map(([name, { kind }]) => [name, fromProto(kind.value as ProtoValue)]));
    const variables = [...Object.keys(scope), ...test.typeEnv.map(({ name }) => name)];
    return { value: createEvaluator().compile(test.expr, { variables, maxNodes: 10_000, maxNesting: 10 }).evaluate(scope) };
  } catch (error) {
    return { error };
  }
}

type ProtoValue = Extract<IncrementalTest['original']['resultMatcher'], { case: 'value' }>['value'];

/** Whether a result is the expected value and, where that is a scalar, of its type. */
function matches(actual: unknown, expected: ProtoValue): boolean {
  const { kind } = expected;
  if (kind.case === 'typeValue') return typeof actual === 'object' && actual !== null && 'name' in actual && actual.name === kind.value;
  if (kind.case === 'doubleValue' && Number.isNaN(kind.value)) return Number.isNaN(actual);
  const wanted = fromProto(expected);
  return celKind(actual) === celKind(wanted) && sameValue(actual, wanted);
}

function celKind(value: unknown): string {
  return value instanceof UnsignedInt ? 'uint' : typeof value;
}

function fromProto({ kind }: ProtoValue): unknown {
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'uint64Value':
      return new UnsignedInt(kind.value);
    case 'listValue':
      return kind.value.values.map(fromProto);
    case 'mapValue':
      return new Map(kind.value.entries.map(({ key, value }) => [fromProto(key as ProtoValue), fromProto(value as ProtoValue)]));
    case 'objectValue':
      return wellKnown(kind.value.typeUrl, kind.value.value);
    default:
      throw new Error(`no counterpart of ${kind.case}`);
  }
}

/** Duration and Timestamp have the same two fields: seconds (1) and nanos (2), both varints. */
function wellKnown(typeUrl: string, bytes: Uint8Array): unknown {
  let index = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[index++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
  };
  const fields = new Map<number, bigint>();
  while (index < bytes.length) {
    const tag = Number(varint());
    fields.set(tag >> 3, varint());
  }
  const [seconds, nanos] = [fields.get(1) ?? 0n, Number(fields.get(2) ?? 0n)];
  if (typeUrl.endsWith('/google.protobuf.Duration')) return new Duration(seconds, nanos);
  if (typeUrl.endsWith('/google.protobuf.Timestamp')) return new Date(Number(seconds) * 1000 + nanos / 1e6);
  throw new Error(`no counterpart of ${typeUrl}`);
}
