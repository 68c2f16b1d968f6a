import { groupDigits } from '@bylaw/core/plural';

/** An amount as sentences show it: with cents where they matter, the same in every locale. */
export function formatAmount(amount: number, currency: string): string {
  const size = Math.abs(amount);
  return `${isTiny(size) ? tiny(amount) : groupDigits(amount.toFixed(size >= 1000 ? 0 : 2))} ${currency}`;
}

/** What is more or less than it should be, with its sign. */
export function formatChange(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${formatAmount(amount, currency)}`;
}

/** An amount as columns of tables show it. */
export function formatColumn(amount: number | null): string {
  if (amount === null) return '–';
  return isTiny(Math.abs(amount)) ? tiny(amount) : groupDigits(amount.toFixed(2));
}

/** Less than half a cent would be shown as nothing. */
function isTiny(size: number): boolean {
  return size > 0 && size < 0.005;
}

/** Amounts of answers have six decimals. */
function tiny(amount: number): string {
  return amount.toFixed(6).replace(/0+$/, '').replace(/\.$/, '');
}
