import { describe, expect, it } from 'vitest';
import { COST_ERRORS, costProblemKind, costProblemPlace } from './index.js';

describe('an error of cost input', () => {
  it.each(Object.keys(COST_ERRORS))('%s is a request that cannot be processed, under its own code', (code) => {
    expect(costProblemKind(code)).toMatchObject({ slug: code, status: 422, title: expect.stringMatching(/[^.]$/) });
  });

  it('says where in the request it is: in a list, or on a line of CSV', () => {
    const place = (path?: string, line?: number) => costProblemPlace('cost-row-invalid', { path, line });
    expect(place('/focus_rows/3')).toEqual({ errors: [{ path: '/focus_rows/3', message: 'A row of the cost export cannot be read.' }] });
    expect(place(undefined, 7)).toEqual({ detail: 'Line 7 of the CSV.' });
    expect(place()).toEqual({});
  });

  it('is no other error', () => {
    expect(costProblemKind('internal')).toBeUndefined();
    expect(costProblemKind('constructor')).toBeUndefined();
  });
});
