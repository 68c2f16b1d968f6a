import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEvaluator } from './create.js';
import { CelError } from './evaluator.js';
import { type CelFunction, parseSignature } from './function.js';
import { FUNCTIONS } from './functions.js';
import { MACROS } from './macros/index.js';
import { celValue } from './standard/values.js';

const LIMITS = { maxNodes: 2000, maxNesting: 3 };
const evaluator = createEvaluator();

describe('functions on hostile input', () => {
  it.each(callable())('%s fails with nothing but a CelError, whatever it is given', (_signature, source, variables) => {
    const program = evaluator.compile(source, { variables, ...LIMITS });
    fc.assert(
      fc.property(fc.array(anyValue(), { minLength: variables.length, maxLength: variables.length }), (values) => {
        const scope = Object.fromEntries(variables.map((name, index) => [name, values[index]]));
        expect(errorOf(() => program.evaluate(scope))).toSatisfy((error) => error === undefined || error instanceof CelError);
      }),
      { numRuns: 100 },
    );
  });

  it.each(total())('%s never fails', (_signature, source, variables) => {
    const program = evaluator.compile(source, { variables, ...LIMITS });
    fc.assert(
      fc.property(fc.array(anyValue(), { minLength: variables.length, maxLength: variables.length }), (values) => {
        program.evaluate(Object.fromEntries(variables.map((name, index) => [name, values[index]])));
      }),
      { numRuns: 300 },
    );
  });

  it('takes an optional, absent or present, where it takes any value', () => {
    for (const [, source, variables] of total()) {
      for (const [bound, value] of [
        ['missing', {}],
        ['field', { field: { name: 'x', containers: [] } }],
      ] as const) {
        const optional = source.replace(/\ba0\b/, `a0.?${bound}`);
        const scope = Object.fromEntries(variables.map((name) => [name, value]));
        expect(errorOf(() => evaluator.compile(optional, { variables, ...LIMITS }).evaluate(scope))).toBeUndefined();
      }
    }
  });
});

describe('expressions of strangers', () => {
  it('compile, or fail with a CelError', () => {
    const fragments = [...FUNCTIONS, ...MACROS].map(({ example }) => example);
    fc.assert(
      fc.property(
        fc.constantFrom(...fragments),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', '(', ')', '.', '?', '"', '[', '{', ' a ', '0', '%', '\u0000'),
        (text, at, length, insert) => {
          const start = at % (text.length + 1);
          const mutated = text.slice(0, start) + insert + text.slice(start + (length % 4));
          const error = errorOf(() =>
            evaluator.compile(mutated, { variables: ['resources', 'a'], ...LIMITS }).evaluate({ a: 1, resources: {} }),
          );
          expect(error === undefined || error instanceof CelError).toBe(true);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('cannot exhaust the stack by nesting or by length', () => {
    for (const source of [
      '('.repeat(50_000),
      `${'['.repeat(50_000)}1${']'.repeat(50_000)}`,
      '!'.repeat(100_000),
      `1${'+1'.repeat(100_000)}`,
      `a${'.b'.repeat(50_000)}`,
    ]) {
      expect(errorOf(() => evaluator.compile(source, { variables: ['a'], ...LIMITS }))).toBeInstanceOf(CelError);
    }
  });
});

type Call = [signature: string, source: string, variables: string[]];

/** An expression that calls each function with a variable for the receiver and for every argument that need not be literal. */
function callable(): Call[] {
  return FUNCTIONS.map((entry) => callOf(entry));
}

function total(): Call[] {
  return FUNCTIONS.filter(({ total, signature }) => total && parseSignature(signature).parameters.every((type) => type === 'dyn')).map(
    callOf,
  );
}

function callOf({ signature }: CelFunction): Call {
  const { receiver, name, parameters } = parseSignature(signature);
  const args = parameters.map((type, index) => (type === 'pattern' ? '"a+b?"' : `a${index}`));
  const namespace = /^bylaw\.([a-z]\w*)$/.exec(receiver ?? '')?.[1] ?? (receiver === 'OptionalNamespace' ? 'optional' : undefined);
  const on = receiver === undefined ? '' : `${namespace ?? 'r'}.`;
  const variables = [...args.filter((arg) => arg.startsWith('a')), ...(on === 'r.' ? ['r'] : [])];
  return [signature, `${on}${name}(${args.join(', ')})`, variables];
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Words that functions look for, so that arbitrary documents reach deep into them. */
const WORDS = `containers initContainers ephemeralContainers command args env name value securityContext capabilities add drop runAsUser
  volumes volumeMounts mountPath readOnly hostPath path lifecycle postStart preStop exec livenessProbe httpGet metadata annotations labels
  ownerReferences kind namespace matchLabels matchExpressions key operator values constructor __proto__ toString
  kubernetes.io/config.source apiVersion spec`.split(/\s+/);

function anyValue(): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        fc.constant(null),
        fc.boolean(),
        fc.double(),
        fc.integer(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...WORDS, 'DaemonSet', '/var/run/../x', 'a@b:c', '$(A)', '1Gi', 'In'),
      ),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 3 })), tie('tree'), { maxKeys: 5 }),
    ),
  }));
  return fc.oneof(tree, fc.jsonValue(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)).map(celValue);
}
