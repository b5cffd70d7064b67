#!/usr/bin/env node
// Builds the console into dist/ when a source is newer than what is there; `--always` builds in any case, `--watch`
// again at each change.
// The server runs without it, so a build that fails is reported and does not stop a start.
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = join(here, '..');
const sources = [
  'console/src',
  'contract/src',
  'console/index.html',
  'console/docs.html',
  'console/liveness.html',
  'console/public',
  'console/package.json',
  'console/build.mjs',
  'capture/src',
  'client/src',
  '../samples',
];

const watch = process.argv.includes('--watch');

if (watch || process.argv.includes('--always') || isStale()) {
  await run().catch((error) => {
    console.error(`The console could not be built: ${error.message}`);
    process.exitCode = 1;
  });
}

function isStale() {
  const built = newest(join(here, 'dist/index.html'));
  return built === 0 || sources.some((path) => newest(join(packages, path)) > built);
}

/** The latest change in a file or folder, milliseconds; 0 where there is none. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

async function run() {
  const { build } = await import('vite');
  await build({
    root: here,
    configFile: false,
    // Pages stand at the root of the server, which may be below a path of a proxy; their files in /console.
    base: './',
    experimental: {
      renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `console/${name}` : { relative: true }),
    },
    logLevel: 'error',
    // A test runner sets NODE_ENV; without this, its build would be a development build, larger by a sixth.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    resolve: {
      alias: [
        ['@wajah/capture/link-texts', 'capture/src/link-texts.ts'],
        ['@wajah/capture', 'capture/src/index.ts'],
        ['@wajah/client', 'client/src/index.ts'],
        ['@wajah/contract/refusals', 'contract/src/refusals.ts'],
        ['@wajah/contract/statuses', 'contract/src/refusals/statuses.ts'],
        ['@wajah/contract/values', 'contract/src/values.ts'],
        [/^@wajah\/contract\/features\/(\w+)$/, 'contract/src/features/$1/values.ts'],
      ].map(([find, file]) => ({ find, replacement: join(packages, file) })),
    },
    build: {
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
      emptyOutDir: true,
      watch: watch ? {} : null,
      // Data URLs would need more of the content security policy than 'self'.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: {
        // Texts of an area are loaded with the pages that use them.
        // No getter of ours does anything: what is spread and not used goes.
        treeshake: {
          moduleSideEffects: (path) => !path.includes('/src/i18n/'),
          propertyReadSideEffects: false,
        },
        input: ['index.html', 'docs.html', 'liveness.html'].map((page) => join(here, page)),
      },
    },
  });
  // The element as one file, for pages of others.
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      outDir: join(here, 'dist/capture'),
      copyPublicDir: false,
      lib: { entry: join(packages, 'capture/src/index.ts'), formats: ['es'], fileName: 'index' },
    },
  });
  // Without those of the guide, in a folder of their own.
  const samples = join(packages, '../samples');
  for (const name of readdirSync(samples).filter((file) => file.endsWith('.jpg')))
    cpSync(join(samples, name), join(here, 'dist/samples', name));
}
