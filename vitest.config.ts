import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { long } from './packages/server/test/support/long.ts';
import { LongestFirst } from './tests/support/longest-first.ts';
import { SlowestFiles } from './tests/support/slowest-files.ts';
import { ourSources } from './tests/support/sources.ts';

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

const MINUTES = 60_000;

const tests = ourSources().filter(({ path }) => path.endsWith('.test.ts'));
const pathsOf = (files: typeof tests) => files.map(({ path }) => path);

/** Test files that take too long for `npm test`, unless they are named. */
const onlyLong = tests.filter(({ text }) =>
  text.startsWith('// Left out of npm test, unless it is named.\n'),
);
const isNamed = (path: string) => process.argv.slice(3).some((word) => path.includes(word));

/** Those that do more in `npm run test:long` than in `npm test`. */
const alsoLong = tests.filter(({ text }) =>
  /\/support\/long\.ts'|\b(describeStores|storeKinds)\b/.test(text),
);

export default defineConfig({
  resolve: {
    alias: {
      '@wajah/capture': source('capture'),
      '@wajah/client/node': fileURLToPath(new URL('./packages/client/src/node.ts', import.meta.url)),
      '@wajah/client': source('client'),
      '@wajah/contract/openapi': fileURLToPath(
        new URL('./packages/contract/src/openapi.ts', import.meta.url),
      ),
      '@wajah/contract/refusals': fileURLToPath(
        new URL('./packages/contract/src/refusals.ts', import.meta.url),
      ),
      '@wajah/contract/statuses': fileURLToPath(
        new URL('./packages/contract/src/refusals/statuses.ts', import.meta.url),
      ),
      '@wajah/compreface': source('compreface'),
      '@wajah/contract/values': fileURLToPath(new URL('./packages/contract/src/values.ts', import.meta.url)),
      '@wajah/contract': source('contract'),
      '@wajah/engine/training': fileURLToPath(new URL('./packages/engine/src/training.ts', import.meta.url)),
      '@wajah/engine': source('engine'),
      '@wajah/models/convert': fileURLToPath(new URL('./packages/models/src/convert.ts', import.meta.url)),
      '@wajah/models/openvino': fileURLToPath(
        new URL('./packages/models/src/ir-convert.ts', import.meta.url),
      ),
      '@wajah/server/profile': fileURLToPath(new URL('./packages/server/src/profile.ts', import.meta.url)),
      '@wajah/server/commands': fileURLToPath(new URL('./packages/server/src/commands.ts', import.meta.url)),
      '@wajah/server/faces': fileURLToPath(new URL('./packages/server/src/faces.ts', import.meta.url)),
      '@wajah/server/stores': fileURLToPath(new URL('./packages/server/src/stores.ts', import.meta.url)),
      '@wajah/server': source('server'),
      '@wajah/tools': source('tools'),
    },
  },
  test: {
    include: pathsOf(
      long
        ? [...onlyLong, ...alsoLong]
        : tests.filter((file) => !onlyLong.includes(file) || isNamed(file.path)),
    ),
    exclude: [],
    setupFiles: ['./tests/support/end-of-file.ts'],
    globalSetup: ['./tests/support/run-folder.ts', './tests/support/build.ts'],
    reporters: ['default', new SlowestFiles()],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Twice the cores of a small machine: many tests wait for programs, browsers and databases.
    maxWorkers: 4,
    // Files of one process share its modules: imports, the engine and drawn pictures are loaded once, not 200 times.
    isolate: false,
    experimental: { fsModuleCache: true },
    // Only what hangs is to fail: how fast a test is depends on what else the machine does.
    testTimeout: long ? 30 * MINUTES : 5 * MINUTES,
    hookTimeout: 5 * MINUTES,
    expect: { poll: { timeout: 4 * MINUTES } },
  },
});
