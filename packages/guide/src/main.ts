// Builds the site of the documents into packages/guide/site where a source is newer than what is there; `--always` builds
// in any case, `--out <folder>` elsewhere. The server runs without it, so a failure is reported and does not stop a start.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({ options: { always: { type: 'boolean' }, out: { type: 'string' } } });
const folder = resolve(values.out ?? join(root, 'packages/guide/site'));

if (values.always || values.out !== undefined || isStale()) {
  try {
    await buildSite();
    if (values.always || values.out !== undefined) console.log(`Wrote ${join(folder, 'index.html')}`);
  } catch (error) {
    console.error(`The site of the documents could not be built: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** Writes the site in place of what is there. */
async function buildSite(): Promise<void> {
  const { siteFiles } = await import('./site.ts');
  const { texts, copies } = siteFiles(root);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, source] of copies) cpSync(join(root, source), join(folder, path));
  const { build } = await import('vite');
  await build({
    root: join(root, 'packages/guide'),
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      outDir: join(folder, 'assets'),
      emptyOutDir: false,
      copyPublicDir: false,
      lib: {
        entry: join(root, 'packages/guide/src/browser/guide.ts'),
        formats: ['iife'],
        name: 'wajahGuide',
        fileName: () => 'guide.js',
      },
    },
  });
}

function isStale(): boolean {
  const built = newest(join(folder, 'assets/guide.js'));
  const sources = ['docs', 'packages/client/README.md', 'packages/capture/README.md', 'packages/guide/src'];
  const others = ['packages/guide/assets', 'packages/console/src/styles/tokens.css'];
  const reference = ['packages/contract/src', 'packages/server/src/config', 'packages/server/src/operations'];
  return [...sources, ...others, ...reference].some((path) => newest(join(root, path)) > built);
}

/** The latest change in a file or folder, milliseconds; 0 where there is none. */
function newest(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
