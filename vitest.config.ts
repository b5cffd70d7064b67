import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';
import { SlowestFiles } from './tests/support/slowest-files.ts';

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@wajah/capture': source('capture'),
      '@wajah/client/node': fileURLToPath(new URL('./packages/client/src/node.ts', import.meta.url)),
      '@wajah/client': source('client'),
      '@wajah/contract': source('contract'),
      '@wajah/engine/training': fileURLToPath(new URL('./packages/engine/src/training.ts', import.meta.url)),
      '@wajah/engine': source('engine'),
      '@wajah/server': source('server'),
    },
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'evaluation/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['./tests/support/run-folder.ts', './tests/support/build.ts'],
    reporters: ['default', new SlowestFiles()],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers: 2,
    // Files of one process share its modules: imports, the engine and drawn pictures are loaded once, not 200 times.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
