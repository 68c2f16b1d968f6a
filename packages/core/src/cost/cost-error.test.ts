import { describe, expect, it } from 'vitest';
import { COST_ERRORS, costProblemKind, costProblemPlace } from './index.js';

describe('an error of cost input', () => {
  it.each(Object.keys(COST_ERRORS))('%s is a request that cannot be processed, under its own code', (code) => {
    expect(costProblemKind(code)).toMatchObject({ slug: code, status: 422, title: expect.stringMatching(/[^.]$/) });
  });

  it('says what is wrong, and where in the request: in a list, on a line of CSV, or in all of it', () => {
    const message = 'EffectiveCost must be a number.';
    const place = (path?: string, line?: number) => costProblemPlace('cost-row-invalid', { path, line, message });
    expect(place('/focus_rows/3')).toEqual({ errors: [{ path: '/focus_rows/3', message }] });
    expect(place(undefined, 7)).toEqual({ detail: `Line 7 of the CSV: ${message}` });
    expect(place()).toEqual({ detail: message });
  });

  it('does not name a dimension that the request made up', () => {
    const place = costProblemPlace('dimension-unknown', { path: undefined, line: undefined, message: 'There is no s3cret.' });
    expect(JSON.stringify(place)).not.toContain('s3cret');
  });

  it('is no other error', () => {
    expect(costProblemKind('internal')).toBeUndefined();
    expect(costProblemKind('constructor')).toBeUndefined();
  });
});
