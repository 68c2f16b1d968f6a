import { expect, it } from 'vitest';
import { FORMATS } from '../../report/index.js';
import { FORMAT_NAMES } from './format.js';

it('--format offers the formats that the report floor writes', () => {
  expect(FORMAT_NAMES).toEqual(FORMATS);
});
