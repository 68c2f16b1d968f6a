import { describe, expect, it } from 'vitest';
import { COST_ERRORS, costProblemKind } from './index.js';

describe('an error of cost input', () => {
  it.each(Object.keys(COST_ERRORS))('%s is a request that cannot be processed, under its own code', (code) => {
    expect(costProblemKind(code)).toMatchObject({ slug: code, status: 422, title: expect.stringMatching(/[^.]$/) });
  });

  it('is no other error', () => {
    expect(costProblemKind('internal')).toBeUndefined();
    expect(costProblemKind('constructor')).toBeUndefined();
  });
});
