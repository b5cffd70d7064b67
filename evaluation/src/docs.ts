// `npm run docs` writes the generated documents; with `--check` it compares them and exits with 1 if one differs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { documents } from './docs/documents.ts';

const root = new URL('../../', import.meta.url);
const check = process.argv.includes('--check');

for (const [path, text] of await documents()) {
  const file = fileURLToPath(new URL(path, root));
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found === text) continue;
  if (check) {
    console.error(`${path} differs from what the code generates. Run \`npm run docs\` and commit it.`);
    process.exitCode = 1;
  } else {
    await mkdir(new URL('.', new URL(path, root)), { recursive: true });
    await writeFile(file, text);
    console.log(`wrote ${path}`);
  }
}
