import { expect, it } from 'vitest';
import { foldedName } from './folded-name.js';

it.each([
  ['Carol', 'cAROL'],
  ['carol', 'ｃａｒｏｌ'],
  ['ﬁona', 'FIONA'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΑΣ', 'ασ'],
  ['\u212bsa', 'åsa'],
  ['A\u030asa', 'åsa'],
  ['ſam', 'SAM'],
])('takes %s and %s for one name', (one, other) => {
  expect(foldedName(one)).toBe(foldedName(other));
});

it('keeps different names apart', () => {
  expect(foldedName('carol')).not.toBe(foldedName('karol'));
  expect(foldedName('carol')).not.toBe(foldedName('carol '));
});
