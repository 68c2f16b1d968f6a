import { Quantity } from '../../../number/index.js';
import { failure } from '../../budget/budget.js';
import type { CelFunction } from '../../function.js';
import { present, textOrEmpty } from '../../standard/values.js';

/** Kubernetes' quantity library. A number counts as its text, because the API takes both. */
export const quantities: readonly CelFunction[] = [
  {
    signature: 'quantity(dyn): kubernetes.Quantity',
    summary: 'The quantity that a string or number represents; an error if it is not a quantity (see isQuantity).',
    example: 'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity(2.0) == quantity("2000m")',
    call: (value: unknown) => {
      const quantity = quantityOf(value);
      if (quantity === undefined) throw failure('not a quantity');
      return quantity;
    },
  },
  {
    signature: 'isQuantity(dyn): bool',
    total: true,
    summary: 'Whether a string or number is a quantity.',
    example: 'isQuantity("100m") && isQuantity(2.0) && !isQuantity("200K") && !isQuantity({}.?cpu)',
    call: (value: unknown) => quantityOf(value) !== undefined,
  },
  {
    signature: 'kubernetes.Quantity.compareTo(kubernetes.Quantity): int',
    summary: '-1, 0 or 1.',
    example: 'quantity("200M").compareTo(quantity("0.2G")) == 0',
    call: (a: Quantity, b: Quantity) => a.compareTo(b),
  },
  {
    signature: 'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
    summary: 'Whether the quantity is greater than the other.',
    example: 'quantity("150Mi").isGreaterThan(quantity("100Mi"))',
    call: (a: Quantity, b: Quantity) => a.compareTo(b) > 0n,
  },
  {
    signature: 'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
    summary: 'Whether the quantity is less than the other.',
    example: 'quantity("50M").isLessThan(quantity("50Mi"))',
    call: (a: Quantity, b: Quantity) => a.compareTo(b) < 0n,
  },
  {
    signature: 'kubernetes.Quantity.isInteger(): bool',
    summary: 'Whether the quantity is a whole number that fits into an int.',
    example: 'quantity("50k").isInteger() && !quantity("1m").isInteger()',
    call: (quantity: Quantity) => quantity.isInteger(),
  },
  {
    signature: 'kubernetes.Quantity.asInteger(): int',
    summary: 'The quantity as an int; an error if isInteger() is false.',
    example: 'quantity("50k").asInteger() == 50000',
    call: (quantity: Quantity) => {
      if (!quantity.isInteger()) throw failure('the quantity is not a whole number that fits into an int');
      return quantity.toInteger();
    },
  },
  {
    signature: 'kubernetes.Quantity.asApproximateFloat(): double',
    summary: 'The nearest double.',
    example: 'quantity("100m").asApproximateFloat() == 0.1',
    call: (quantity: Quantity) => quantity.toNumber(),
  },
  {
    signature: 'kubernetes.Quantity.sign(): int',
    summary: '-1, 0 or 1.',
    example: 'quantity("-5").sign() == -1',
    call: (quantity: Quantity) => quantity.compareTo(ZERO),
  },
  {
    signature: 'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
    summary: 'The sum.',
    example: 'quantity("50k").add(quantity("20k")) == quantity("70k")',
    call: (a: Quantity, b: Quantity) => a.plus(b),
  },
  {
    signature: 'kubernetes.Quantity.add(int): kubernetes.Quantity',
    summary: 'The sum of the quantity and an int.',
    example: 'quantity("50k").add(20) == quantity("50020")',
    call: (a: Quantity, b: bigint) => a.plus(Quantity.ofInteger(b)),
  },
  {
    signature: 'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity',
    summary: 'The difference.',
    example: 'quantity("50k").sub(quantity("20k")) == quantity("30k")',
    call: (a: Quantity, b: Quantity) => a.minus(b),
  },
  {
    signature: 'kubernetes.Quantity.sub(int): kubernetes.Quantity',
    summary: 'The quantity minus an int.',
    example: 'quantity("50k").sub(20000) == quantity("30k")',
    call: (a: Quantity, b: bigint) => a.minus(Quantity.ofInteger(b)),
  },
];

const ZERO = new Quantity(0n);

/** The quantity that a string or number represents; undefined for any other value. */
export function quantityOf(value: unknown): Quantity | undefined {
  const inner = present(value);
  const isNumber = typeof inner === 'number' || typeof inner === 'bigint';
  return Quantity.parse(isNumber ? String(inner) : textOrEmpty(inner));
}
