import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/waymark/src/**/*.test.ts',
      'packages/waymark/test/**/*.test.ts',
      'spec/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    globalSetup: 'packages/waymark/test/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
});
