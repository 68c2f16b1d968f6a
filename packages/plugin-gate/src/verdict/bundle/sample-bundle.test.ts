import { expect, it } from 'vitest';
import { SAMPLE_BUNDLE } from '../../policy/index.js';
import { coverageOf } from './coverage.js';
import { loadBundle } from './load-bundle.js';

it('the packaged sample bundle loads without a complaint, and its tests see all of it', async () => {
  const { bundle, errors, warnings } = await loadBundle(SAMPLE_BUNDLE);
  expect([errors, warnings]).toEqual([[], []]);
  expect(bundle && (await coverageOf(bundle)).percent).toBe(100);
});
