/**
 * Whether a text matches a pattern in which `*` stands for any text and `?` for one character. Without backtracking: the pieces
 * between stars are found from left to right.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  if (pattern === '*') return true;
  const pieces = pattern.split(/\*+/);
  const [first = '', ...rest] = pieces;
  if (!pieceAt(first, text, 0)) return false;
  if (rest.length === 0) return first.length === text.length;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    while (at + piece.length <= text.length && !pieceAt(piece, text, at)) at++;
    if (at + piece.length > text.length) return false;
    at += piece.length;
  }
  return text.length - last.length >= at && pieceAt(last, text, text.length - last.length);
}

function pieceAt(piece: string, text: string, at: number): boolean {
  if (at < 0 || at + piece.length > text.length) return false;
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== text[at + i]) return false;
  return true;
}
