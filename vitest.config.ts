import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests that start processes wait for the machine, not for the clock.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
