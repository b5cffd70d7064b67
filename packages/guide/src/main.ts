// Builds the site of the documents into packages/guide/site, or into the folder of `--out`. The server runs without it, so
// a failure is reported and does not stop a start.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { siteFiles } from './site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const folder = resolve(values.out ?? join(root, 'packages/guide/site'));
const outDir = join(folder, 'assets');
const entry = join(root, 'packages/guide/src/browser/guide.ts');

try {
  const { texts, copies } = siteFiles(root);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, source] of copies) cpSync(join(root, source), join(folder, path));
  const lib = { entry, formats: ['iife' as const], name: 'wajahGuide', fileName: () => 'guide.js' };
  const options = { target: 'es2022', outDir, emptyOutDir: false, copyPublicDir: false, lib };
  await build({ root: dirname(entry), configFile: false, logLevel: 'error', build: options });
  if (values.out !== undefined) console.log(`Wrote ${join(folder, 'index.html')}`);
} catch (error) {
  console.error(`The site of the documents could not be built: ${(error as Error).message}`);
  process.exitCode = 1;
}
