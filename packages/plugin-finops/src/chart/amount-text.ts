/** An amount as text shows it: with cents where they matter. */
export function amountText(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= 1000 ? 0 : 2;
  return `${decimals(amount, digits)} ${currency}`;
}

/** An amount as columns of tables show it. */
export function columnText(amount: number | null): string {
  return amount === null ? '–' : decimals(amount, 2);
}

function decimals(amount: number, digits: number): string {
  return amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
