import { describe, expect, it } from 'vitest';
import { createEvaluator } from '../create.js';
import { CelError, type Program } from '../evaluator.js';
import { ANY, SCALAR, type Shape } from '../shape.js';

const evaluator = createEvaluator();

const shapes: { [variable: string]: Shape } = {
  order: {
    type: 'object',
    members: {
      id: { shape: SCALAR },
      cost: { shape: { type: 'object', members: { unit: { shape: SCALAR }, amount: { shape: SCALAR } } }, optional: true },
      extra: { shape: ANY },
      items: {
        shape: { type: 'list', items: { type: 'object', members: { sku: { shape: SCALAR }, note: { shape: SCALAR, optional: true } } } },
      },
    },
  },
  mandate: {
    type: 'object',
    members: { valid: { shape: SCALAR, implies: ['issuer'] }, issuer: { shape: SCALAR, optional: true } },
  },
};

function compile(source: string, condition = false): Program {
  return evaluator.compile(source, { variables: Object.keys(shapes), maxNodes: 500, maxNesting: 2, shapes, condition });
}

function unguarded(source: string): string[] {
  return compile(source).unguarded.map(({ path, offset }) => `${offset}: ${path}`);
}

function refusal(source: string, condition = false): string {
  try {
    compile(source, condition);
    return 'compiles';
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return `${error.offset}: ${error.message}`;
  }
}

describe('members that can never be there', () => {
  it.each([
    ['order.idd == "x"', "0: unknown field 'idd' (did you mean 'id'?)"],
    ['has(order.cost) && order.cost.value > 1', "19: unknown field 'value' (known fields: unit, amount)"],
    ['order.?cots.hasValue()', "0: unknown field 'cots' (did you mean 'cost'?)"],
    ['has(order.coost)', "4: unknown field 'coost' (did you mean 'cost'?)"],
    ['order["idd"] == 1', "0: unknown field 'idd' (did you mean 'id'?)"],
    ['order.id.x == 1', "0: the value is a scalar and cannot have the field 'x'"],
    ['order.items.all(i, i.skuu == "")', "19: unknown field 'skuu' (did you mean 'sku'?)"],
    ['order.items.filter(i, i.sku == "a")[0].skuu == ""', "0: unknown field 'skuu' (did you mean 'sku'?)"],
    ['cel.bind(c, order.items, c.all(i, i.skuu == ""))', "34: unknown field 'skuu' (did you mean 'sku'?)"],
    ['order.?cost.optMap(c, c.value == 1).orValue(false)', "22: unknown field 'value' (known fields: unit, amount)"],
  ])('are refused: %s', (source, message) => {
    expect(refusal(source)).toBe(message);
  });

  it('are not looked for in what the input decides', () => {
    expect(refusal('has(order.extra.whatever)')).toBe('compiles');
  });
});

describe('members that may be missing', () => {
  it.each([
    ['order.cost.amount > 5', ['0: order.cost']],
    ['order.extra.a == 1', ['0: order.extra.a']],
    ['has(order.extra.a.b)', ['4: order.extra.a']],
    ['order.items.all(i, i.note == "")', ['19: i.note']],
    ['order.extra.?list.orValue([]).all(i, i.kind == "x")', ['37: i.kind']],
    ['mandate.issuer == "x"', ['0: mandate.issuer']],
    ['!mandate.valid && mandate.issuer == "x"', ['18: mandate.issuer']],
    ['has(order.cost) || order.cost.amount > 5', ['19: order.cost']],
    ['has(order.extra.a) && order.items.all(order, order.extra.a == 1)', ['compiles not']],
  ])('are named where nothing asks for them before: %s', (source, expected) => {
    if (expected[0] === 'compiles not') expect(refusal(source)).toContain("unknown field 'extra'");
    else expect(unguarded(source)).toEqual(expected);
  });

  it.each([
    'has(order.cost) && order.cost.amount > 5',
    '!has(order.cost) || order.cost.amount > 5',
    'has(order.cost) ? order.cost.amount > 5 : true',
    '!has(order.cost) ? false : order.cost.amount > 5',
    'order.?cost.?amount.orValue(0) > 5',
    'order.?cost.amount.orValue(0) > 5',
    'order.?cost.hasValue() && order.cost.amount > 5',
    '"a" in order.extra && order.extra.a == 1',
    '"a" in order.extra && order.extra["a"] == 1',
    'has(order.extra.a) && has(order.extra.a.b) && order.extra.a.b == 1',
    '(has(order.extra.a) && order.id == "1") && order.extra.a == 1',
    '!(!has(order.extra.a) || order.id == "1") && order.extra.a == 1',
    '(has(order.cost) && order.id == "1" || has(order.cost)) && order.cost.amount > 1',
    'order.items.all(i, has(i.note) && i.note == "")',
    'order.items.map(i, has(i.note), i.note).size() > 0',
    'mandate.valid && mandate.issuer == "x"',
  ])('are found to be asked for: %s', (source) => {
    expect(unguarded(source)).toEqual([]);
  });
});

describe('conditions', () => {
  it('must be bool where that can be told before', () => {
    expect(refusal('order.id', true)).toBe('compiles');
    expect(refusal('1 + 1', true)).toBe('0: a condition must be of type bool, not int');
    expect(refusal('order.?id', true)).toContain('a condition must be of type bool');
  });

  it('come apart into what must hold together', () => {
    const parts = (source: string) => compile(source).conjuncts();
    expect(parts('order.id == "("')).toEqual(['order.id == "("']);
    expect(parts('(has(order.cost) && (order.id == "1")) && !(order.id == "a" || order.id == ")")')).toEqual([
      'has(order.cost)',
      'order.id == "1"',
      '!(order.id == "a" || order.id == ")")',
    ]);
    expect(parts('((order.id) == "1") && (order.id == (order.id))')).toEqual(['(order.id) == "1"', 'order.id == (order.id)']);
  });

  it('come apart into texts that compile', () => {
    for (const source of ['((order.id)) == "1" && order.id.startsWith((("a")))', '(((order.id == "1"))) && (has(order.cost))'])
      for (const part of compile(source).conjuncts()) expect(refusal(part)).toBe('compiles');
  });
});
