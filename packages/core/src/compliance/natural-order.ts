/** Orders text as people number things: 5.2.2 before 5.2.10, AC-6 before AC-12. By code units, never by locale. */
export function naturalOrder(a: string, b: string): number {
  const left = chunks(a);
  const right = chunks(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareChunks(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0);
}

function chunks(text: string): string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function compareChunks(a: string, b: string): number {
  if (isDigits(a) && isDigits(b)) {
    const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
    if (x.length !== y.length) return x.length - y.length;
    return x < y ? -1 : x > y ? 1 : 0;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function isDigits(chunk: string): boolean {
  return /^\d/.test(chunk);
}
