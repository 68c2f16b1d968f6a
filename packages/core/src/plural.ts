/** `1,234`, in every locale. */
export function number(value: number): string {
  return groupDigits(String(value));
}

/** The text of a number with commas between the thousands of its whole part: `1,234.5678`. */
export function groupDigits(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...fraction].join('.');
}

/** `1 finding`, `1,234 findings`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
