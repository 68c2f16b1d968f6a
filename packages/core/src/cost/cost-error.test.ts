import { describe, expect, it } from 'vitest';
import { COST_ERRORS, costProblems } from './index.js';

describe('an error of cost input', () => {
  it('is a request that cannot be processed, under its own code', () => {
    const all = Object.keys(COST_ERRORS).map((slug) => ({
      error: slug,
      problem: { slug, status: 422, title: expect.stringMatching(/[^.]$/) },
    }));
    expect(costProblems()).toMatchObject(all);
    expect(costProblems(['no-usable-rows'])).toMatchObject([{ error: 'no-usable-rows' }]);
  });

  it('says what is wrong, and where in the request: in a list, on a line of CSV, or in all of it', () => {
    const message = 'EffectiveCost must be a number.';
    const place = (path?: string, line?: number) => costProblems(['cost-row-invalid'])[0]?.say({ path, line, message });
    expect(place('/focus_rows/3')).toEqual({ errors: [{ path: '/focus_rows/3', message }] });
    expect(place(undefined, 7)).toEqual({ detail: `Line 7 of the CSV: ${message}` });
    expect(place()).toEqual({ detail: message });
  });

  it('does not name a dimension that the request made up', () => {
    const place = costProblems(['dimension-unknown'])[0]?.say({ path: undefined, line: undefined, message: 'There is no s3cret.' });
    expect(place).toHaveProperty('detail');
    expect(JSON.stringify(place)).not.toContain('s3cret');
  });
});
