import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const source = (name: string, file = 'index') => path(`packages/${name}/src/${file}.ts`);

/** Packages import each other by name: tests read their sources, not what was built of them. */
const alias = Object.entries({
  '@wajah/capture': source('capture'),
  '@wajah/client/node': source('client', 'node'),
  '@wajah/client': source('client'),
  '@wajah/contract/openapi': source('contract', 'openapi'),
  '@wajah/contract/refusals': source('contract', 'refusals'),
  '@wajah/contract/statuses': source('contract', 'refusals/statuses'),
  '@wajah/contract/values': source('contract', 'values'),
  '@wajah/contract': source('contract'),
  '@wajah/compreface': source('compreface'),
  '@wajah/engine/decode': source('engine', 'imaging/decode'),
  '@wajah/engine/training': source('engine', 'training'),
  '@wajah/engine': source('engine'),
  '@wajah/models/convert': path('models/src/convert.ts'),
  '@wajah/server/profile': source('server', 'profile'),
  '@wajah/server/commands': source('server', 'commands'),
  '@wajah/server/faces': source('server', 'faces'),
  '@wajah/server/stores': source('server', 'stores'),
  '@wajah/server': source('server'),
  '@wajah/tools': source('tools'),
}).map(([find, replacement]): { find: string | RegExp; replacement: string } => ({ find, replacement }));
const features = path('packages/contract/src/features/$1/values.ts');
alias.unshift({ find: /^@wajah\/contract\/features\/(\w+)$/, replacement: features });

const MINUTES = 60_000;

/** Tests of a folder. Set-up files are run once before the first of them. */
const project = (name: string, include: string, ...globalSetup: string[]) => ({
  extends: true as const,
  test: { name, include: [include], globalSetup },
});

const build = './tests/support/build.ts';
const folder = './tests/support/run-folder.ts';

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      project('unit', '{packages/*,lab,models}/src/**/*.test.{ts,tsx}', folder, build),
      project('api', '{packages/*,models}/test/**/*.test.ts', folder, build),
      project('system', 'tests/**/*.test.ts', folder, build, './tests/support/build-pages.ts'),
    ],
    setupFiles: ['./tests/support/each-file.ts'],
    pool: 'forks',
    // Twice the cores of a small machine: many tests wait for programs, browsers and databases.
    maxWorkers: 4,
    // Files of one process share its modules: imports, the engine and drawn pictures are loaded once, not 200 times.
    isolate: false,
    experimental: { fsModuleCache: true },
    // Only what hangs is to fail: how fast a test is depends on what else the machine does.
    testTimeout: 5 * MINUTES,
    hookTimeout: 5 * MINUTES,
    expect: { poll: { timeout: 4 * MINUTES } },
  },
});
