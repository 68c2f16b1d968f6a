import { describe, expect, it } from 'vitest';
import { createEvaluator } from './create.js';
import { FUNCTIONS } from './functions.js';

const LIMITS = { variables: [], maxNodes: 2000, maxNesting: 3 };

describe('the function table', () => {
  it.each(FUNCTIONS.map(({ signature, example }) => ({ signature, example })))('$signature does what its example says', ({ example }) => {
    expect(createEvaluator().compile(example, LIMITS).evaluate({})).toBe(true);
  });
});
