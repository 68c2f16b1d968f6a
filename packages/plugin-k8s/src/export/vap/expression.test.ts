import { describe, expect, it } from 'vitest';
import { expressionOf } from './expression.js';
import { readTerm } from './term/read-term.js';

describe('an expression of a policy', () => {
  it.each([
    ['cel.bind(v, a.b(), v > 1 && v < 3)', '[a.b()].exists(v, v > 1 && v < 3)'],
    ['cel.bind(v, a.b(), v + v)', '[a.b()].map(v, v + v)[0]'],
    ['x in ["a", 1]', 'x in [dyn("a"), dyn(1)]'],
    ['{"a": 1, "b": "c"}', '{"a": dyn(1), "b": dyn("c")}'],
    ['["a", b, "c"]', '["a", b, "c"]'],
  ])('says %s as the API server takes it', (ours, theirs) => {
    expect(expressionOf(readTerm(ours))).toBe(theirs);
  });
});
