import { expect, it } from 'vitest';
import { takesPart } from './takes-part.js';

it('finds a party under any of the names of an approver', () => {
  const carol = { id: 'carol', principals: ['Carol@Example.com'] };
  expect(takesPart(carol, ['alice', 'CAROL'])).toBe(true);
  expect(takesPart(carol, ['carol@example.COM'])).toBe(true);
  expect(takesPart(carol, ['alice', null, undefined])).toBe(false);
  expect(takesPart({ id: 'carol' }, ['carol@example.com'])).toBe(false);
});
