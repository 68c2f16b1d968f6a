import { expect, it } from 'vitest';
import { threadHeapMb } from './thread-memory.js';

const GIB = 1024 ** 3;

it.each([
  [2, 1 * GIB, 256],
  [2, 23 * GIB, 512],
  [8, 4 * GIB, 256],
  [8, GIB / 2, 128],
])('%i threads of a machine with %i bytes have %i MiB each', (threads, memory, expected) => {
  expect(threadHeapMb(threads, memory)).toBe(expected);
});
