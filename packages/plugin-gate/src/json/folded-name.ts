/**
 * The form in which names of people are compared: NFKC (Unicode Standard Annex 15) and case folded, so that `Carol`, `CAROL` and
 * the same name in full-width letters are one person. JavaScript has no case folding; lower, upper and lower case again give the same
 * classes for every character (Unicode Standard, section 5.18), except that the dotless `ı` is equal to `i`.
 */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
