/** Three digits say enough of what is known to a third. */
export function numberText(value: number): string {
  const [most, size] = [3, Math.abs(value)];
  if (size !== 0 && size < 1e-6) return value.toExponential(2);
  return size >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(most)));
}

export function signedText(value: number): string {
  return value > 0 ? `+${numberText(value)}` : numberText(value);
}
